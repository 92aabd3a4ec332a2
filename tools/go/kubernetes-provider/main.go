// Command pulumi-resource-kubernetes is the Kubernetes provider, built from its published module.
package main

import "github.com/pulumi/pulumi-kubernetes/provider/v4/pkg/provider"

// version is set by the linker.
var version = "v4.0.0"

func main() {
	// The schema and the mapping are asked for by code generators only, never by a Python program.
	provider.Serve("kubernetes", version, []byte("{}"), []byte("{}"))
}
