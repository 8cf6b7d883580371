//go:build tools

// Package tools pins op-geth.
package tools

import _ "github.com/ethereum/go-ethereum/cmd/geth"
