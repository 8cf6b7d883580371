module slipway.dev/engines/evm-dev

go 1.24
