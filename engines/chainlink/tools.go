//go:build tools

// Package tools pins the Chainlink node.
package tools

import _ "github.com/smartcontractkit/chainlink/v2"
