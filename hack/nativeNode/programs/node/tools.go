//go:build tools

// The programs that are built as they are.
package main

import (
	_ "github.com/rancher/local-path-provisioner"
	_ "k8s.io/kubernetes/cmd/kubeadm"
)
