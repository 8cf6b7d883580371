//go:build tools

// Package tools pins skipper, with which the chart's Ingress is tested.
package tools

import _ "github.com/zalando/skipper/cmd/skipper"
