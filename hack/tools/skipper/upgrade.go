package main

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync/atomic"

	"github.com/zalando/skipper/filters"
)

const upgradeFilterName = "slipwayUpgrade"

type upgradeSpec struct{ transport http.RoundTripper }

func (upgradeSpec) Name() string { return upgradeFilterName }

// The arguments are the hosts of the replicas.
func (spec upgradeSpec) CreateFilter(args []interface{}) (filters.Filter, error) {
	filter := &upgradeFilter{transport: spec.transport}
	for _, arg := range args {
		host, isText := arg.(string)
		if !isText {
			return nil, filters.ErrInvalidFilterParameters
		}
		filter.hosts = append(filter.hosts, host)
	}
	return filter, nil
}

// upgradeFilter carries WebSockets. skipper's own way drops what a replica sends together with its 101, and the headers of
// a refusal.
type upgradeFilter struct {
	hosts     []string
	transport http.RoundTripper
	turn      atomic.Uint64
}

func (*upgradeFilter) Response(filters.FilterContext) {}

func (f *upgradeFilter) Request(ctx filters.FilterContext) {
	request := ctx.Request()
	if len(f.hosts) == 0 || !strings.Contains(strings.ToLower(request.Header.Get("Connection")), "upgrade") {
		return
	}
	ctx.MarkServed()
	host := f.hosts[f.turn.Add(1)%uint64(len(f.hosts))]
	proxy := httputil.ReverseProxy{
		Transport: f.transport,
		Rewrite: func(pair *httputil.ProxyRequest) {
			in := pair.In
			pair.Out.URL = &url.URL{Scheme: "http", Host: host, Path: in.URL.Path, RawPath: in.URL.RawPath, RawQuery: in.URL.RawQuery}
			// Those that the server has set, which the proxy takes away.
			for name, values := range in.Header {
				if strings.HasPrefix(name, "X-Forwarded-") {
					pair.Out.Header[name] = values
				}
			}
		},
		ErrorHandler: func(writer http.ResponseWriter, failed *http.Request, _ error) {
			status, text := errorObject(writer.Header(), failed, http.StatusBadGateway)
			writer.WriteHeader(status)
			writer.Write(text)
		},
	}
	proxy.ServeHTTP(ctx.ResponseWriter(), request)
}

// wrapUpgrades keeps skipper from flushing a response whose connection is a WebSocket by now.
func wrapUpgrades(next http.Handler) http.Handler {
	return http.HandlerFunc(func(writer http.ResponseWriter, request *http.Request) {
		next.ServeHTTP(&upgradeWriter{ResponseWriter: writer}, request)
	})
}

type upgradeWriter struct {
	http.ResponseWriter
	isHijacked bool
}

func (w *upgradeWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w *upgradeWriter) Flush() {
	if flusher, ok := w.ResponseWriter.(http.Flusher); ok && !w.isHijacked {
		flusher.Flush()
	}
}

func (w *upgradeWriter) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	hijacker, ok := w.ResponseWriter.(http.Hijacker)
	if !ok {
		return nil, nil, fmt.Errorf("%T cannot be hijacked", w.ResponseWriter)
	}
	w.isHijacked = true
	return hijacker.Hijack()
}
