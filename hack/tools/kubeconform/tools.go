//go:build tools

// Package tools pins kubeconform.
package tools

import _ "github.com/yannh/kubeconform/cmd/kubeconform"
