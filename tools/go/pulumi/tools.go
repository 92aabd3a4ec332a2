//go:build tools

// Package tools pins the Pulumi CLI: a module with replace directives can be built from here, not by `go install`.
package tools

import _ "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi"
