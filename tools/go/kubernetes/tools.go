//go:build tools

// Package tools pins the control plane of the test cluster. Kubernetes publishes its staging modules with the same
// version number, so each `replace` of its own go.mod is repeated here.
package tools

import (
	_ "k8s.io/kubernetes/cmd/kube-apiserver"
	_ "k8s.io/kubernetes/cmd/kube-controller-manager"
	_ "k8s.io/kubernetes/cmd/kube-scheduler"
)
