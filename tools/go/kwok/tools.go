//go:build tools

// Package tools pins KWOK, which plays the nodes and pods of the test cluster.
package tools

import _ "sigs.k8s.io/kwok/cmd/kwok"
