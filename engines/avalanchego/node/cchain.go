package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/ava-labs/avalanchego/config/node"
)

const (
	retryEvery = 50 * time.Millisecond
	rpcPath    = "/ext/bc/C/rpc"
	wsPath     = "/ext/bc/C/ws"
)

// serve listens once the C-Chain answers, so that an open port means a chain that can be used.
func serve(address, contextPath string) {
	api := untilReady(contextPath)
	if err := http.ListenAndServe(address, proxyTo(api)); err != nil {
		fmt.Fprintf(os.Stderr, "cannot serve the C-Chain at %s: %s\n", address, err)
		os.Exit(1)
	}
}

// untilReady returns the address of the node's API, which it writes to a file when it has chosen a port.
func untilReady(contextPath string) *url.URL {
	for {
		if api, err := readAPI(contextPath); err == nil && isServing(api) {
			return api
		}
		time.Sleep(retryEvery)
	}
}

func readAPI(contextPath string) (*url.URL, error) {
	text, err := os.ReadFile(contextPath)
	if err != nil {
		return nil, err
	}
	var context node.ProcessContext
	if err := json.Unmarshal(text, &context); err != nil {
		return nil, err
	}
	return url.Parse(context.URI)
}

// isServing: before the chain is bootstrapped, its path is unknown or answers 503.
func isServing(api *url.URL) bool {
	call := strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}`)
	answer, err := http.Post(api.JoinPath(rpcPath).String(), "application/json", call)
	if err != nil {
		return false
	}
	defer answer.Body.Close()
	return answer.StatusCode == http.StatusOK
}

func proxyTo(api *url.URL) http.Handler {
	return &httputil.ReverseProxy{
		Rewrite: func(request *httputil.ProxyRequest) {
			request.SetURL(api)
			request.Out.URL.Path = pathOf(request.In)
		},
	}
}

func pathOf(request *http.Request) string {
	if strings.EqualFold(request.Header.Get("Upgrade"), "websocket") {
		return wsPath
	}
	return rpcPath
}
