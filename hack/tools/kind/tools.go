//go:build tools

// Package tools pins the programs that are built in this folder.
package tools

import _ "sigs.k8s.io/kind"
