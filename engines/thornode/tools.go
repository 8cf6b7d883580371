//go:build tools

// Package tools pins thornode.
package tools

import _ "gitlab.com/thorchain/thornode/v3/cmd/thornode"
