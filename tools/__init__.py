"""Provides the Pulumi CLI and the Kubernetes provider, and runs them on the stacks of this project."""
