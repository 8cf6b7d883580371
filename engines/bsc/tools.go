//go:build tools

// Package tools pins bsc.
package tools

import _ "github.com/ethereum/go-ethereum/cmd/geth"
