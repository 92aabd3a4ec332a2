"""Says before a deployment whether it fits: needs come from the manifests, facts from the cluster, checks compare."""
