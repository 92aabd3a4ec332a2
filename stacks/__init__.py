"""Which deployment: reads Pulumi's config, composes the components, tells the outputs."""
