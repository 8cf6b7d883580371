// Command avalanchego is the node of Avalanche with one more address, where it serves the JSON-RPC of the C-Chain alone,
// over HTTP and WebSocket, as other clients serve theirs.
package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/ava-labs/avalanchego/app"
	"github.com/ava-labs/avalanchego/config"
	"github.com/ava-labs/avalanchego/version"
	"github.com/ava-labs/coreth/plugin/evm"
	"github.com/spf13/pflag"
)

const (
	addressKey  = "c-chain-address"
	addressHelp = "Where the C-Chain serves JSON-RPC under /, over HTTP and WebSocket: 0.0.0.0:8545. Empty: only where the node serves it"
)

func main() {
	code, err := run(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	os.Exit(code)
}

func run(args []string) (int, error) {
	evm.RegisterAllLibEVMExtras()
	flags := config.BuildFlagSet()
	flags.String(addressKey, "", addressHelp)
	values, err := config.BuildViper(flags, args)
	if errors.Is(err, pflag.ErrHelp) {
		return 0, nil
	}
	if err != nil {
		return 1, fmt.Errorf("couldn't configure flags: %w", err)
	}
	if values.GetBool(config.VersionKey) {
		fmt.Println(version.GetVersions().String())
		return 0, nil
	}
	settings, err := config.GetNodeConfig(values)
	if err != nil {
		return 1, fmt.Errorf("couldn't load node config: %w", err)
	}
	// A killed node leaves the address of its API behind.
	if err := os.Remove(settings.ProcessContextFilePath); err != nil && !errors.Is(err, os.ErrNotExist) {
		return 1, err
	}
	node, err := app.New(settings)
	if err != nil {
		return 1, fmt.Errorf("couldn't start node: %w", err)
	}
	if address := values.GetString(addressKey); address != "" {
		go serve(address, settings.ProcessContextFilePath)
	}
	return app.Run(node), nil
}
