//go:build tools

// Package tools pins prysm.
package tools

import (
	_ "github.com/OffchainLabs/prysm/v7/cmd/beacon-chain"
	_ "github.com/OffchainLabs/prysm/v7/cmd/validator"
)
