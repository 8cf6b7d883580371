//go:build tools

// Package tools pins skipper.
package tools

import _ "github.com/zalando/skipper/cmd/skipper"
