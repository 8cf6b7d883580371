// slipway-genesis prepares the parts of an Ethereum network before they start. The same input gives the same
// genesis, so that each part makes its own and none has to hand it to the others.
//
//	slipway-genesis state  --config F --execution F --key F --validators N --out DIR
//	slipway-genesis wallet --key F --first N --count N --out DIR
//	slipway-genesis keystores --key F --first N --count N --out DIR
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
)

type options struct {
	config, execution, key, out string
	validators, first, count    uint64
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "slipway-genesis:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("want state, wallet or keystores")
	}
	if args[0] == "--version" {
		fmt.Println("slipway-genesis", "v1")
		return nil
	}
	var o options
	flags := flag.NewFlagSet(args[0], flag.ContinueOnError)
	flags.StringVar(&o.config, "config", "", "chain configuration of the beacon chain (YAML)")
	flags.StringVar(&o.execution, "execution", "", "genesis of the execution chain (geth's JSON); its timestamp is the genesis time")
	flags.StringVar(&o.key, "key", "", "file with the key of m/12381/3600 in hexadecimal")
	flags.StringVar(&o.out, "out", "", "folder to write into")
	flags.Uint64Var(&o.validators, "validators", 0, "validators in the genesis state")
	flags.Uint64Var(&o.first, "first", 0, "index of the first validator")
	flags.Uint64Var(&o.count, "count", 0, "number of validators")
	if err := flags.Parse(args[1:]); err != nil {
		return err
	}
	root, err := readRoot(o.key)
	if err != nil {
		return err
	}
	switch args[0] {
	case "state":
		return writeState(context.Background(), o, root)
	case "wallet":
		return writeWallet(o, root)
	case "keystores":
		return writeKeystores(o, root)
	}
	return fmt.Errorf("no such command: %s", args[0])
}
