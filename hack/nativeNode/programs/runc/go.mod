module slipway.dev/hack/tools/runc

go 1.24.0
