module slipway.dev/hack/tools/ingress

go 1.24
