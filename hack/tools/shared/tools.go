//go:build tools

// Package tools pins helm. CoreDNS is in the same module, so that what both of them need is compiled once.
package tools

import _ "helm.sh/helm/v3/cmd/helm"
