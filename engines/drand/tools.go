//go:build tools

// Package tools pins drand.
package tools

import _ "github.com/drand/drand/v2/cmd/drand"
