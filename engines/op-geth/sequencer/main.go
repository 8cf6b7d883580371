// slipway-sequencer makes the blocks of an OP Stack rollup that has no L1. It drives an execution client through the
// Engine API, as op-node does: each block begins with the transaction that sets the L1 attributes. What it says about
// L1 derives from the block's own time, so it keeps nothing and can be started again at any block.
//
//	slipway-sequencer --engine URL --jwt FILE --block-time SECONDS --gas-limit N --min-base-fee WEI
package main

import (
	"context"
	"flag"
	"fmt"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/ethereum/go-ethereum/common"
)

type options struct {
	engine, jwt, listen, feeRecipient  string
	blockTime, gasLimit, minBaseFee    uint64
	baseFeeScalar, blobBaseFeeScalar   uint64
	l1BaseFee, l1BlobBaseFee, daFactor uint64
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "slipway-sequencer:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) == 1 && args[0] == "--version" {
		fmt.Println("slipway-sequencer", "v1")
		return nil
	}
	o, err := parse(args)
	if err != nil {
		return err
	}
	secret, err := readSecret(o.jwt)
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	failed := make(chan error, 1)
	go func() { failed <- http.ListenAndServe(o.listen, http.HandlerFunc(healthy)) }()
	go func() { newSequencer(o, &engine{url: o.engine, secret: secret}).run(ctx) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
		return nil
	}
}

func parse(args []string) (options, error) {
	var o options
	flags := flag.NewFlagSet("slipway-sequencer", flag.ContinueOnError)
	flags.StringVar(&o.engine, "engine", "", "URL of the execution client's authenticated interface")
	flags.StringVar(&o.jwt, "jwt", "", "file with the secret of that interface in hexadecimal")
	flags.StringVar(&o.listen, "listen", "127.0.0.1:8548", "address that answers 200 as long as the program runs")
	flags.StringVar(&o.feeRecipient, "fee-recipient", "0x4200000000000000000000000000000000000011", "receives the tips")
	flags.Uint64Var(&o.blockTime, "block-time", 2, "seconds between blocks")
	flags.Uint64Var(&o.gasLimit, "gas-limit", 60_000_000, "gas limit of each block")
	flags.Uint64Var(&o.minBaseFee, "min-base-fee", 0, "lowest base fee in wei (Jovian)")
	flags.Uint64Var(&o.baseFeeScalar, "base-fee-scalar", 0, "millionths of the L1 base fee")
	flags.Uint64Var(&o.blobBaseFeeScalar, "blob-base-fee-scalar", 0, "millionths of the L1 blob base fee")
	flags.Uint64Var(&o.l1BaseFee, "l1-base-fee", 1_000_000_000, "base fee of L1 in wei")
	flags.Uint64Var(&o.l1BlobBaseFee, "l1-blob-base-fee", 1, "blob base fee of L1 in wei")
	flags.Uint64Var(&o.daFactor, "da-footprint-gas-scalar", 400, "gas per byte of estimated data (Jovian)")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if flags.NArg() > 0 || o.engine == "" || o.jwt == "" || o.blockTime == 0 || !common.IsHexAddress(o.feeRecipient) {
		return o, fmt.Errorf("want --engine, --jwt, a --block-time above 0 and an address as --fee-recipient")
	}
	return o, nil
}

func healthy(response http.ResponseWriter, _ *http.Request) { response.WriteHeader(http.StatusOK) }

func sleep(ctx context.Context, until time.Time) {
	timer := time.NewTimer(time.Until(until))
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}
