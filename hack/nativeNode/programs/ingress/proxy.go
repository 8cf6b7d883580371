package main

import (
	"context"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"sync/atomic"
	"time"
)

const (
	// A replica that does not accept a connection within this time is passed over.
	dialTimeout = 5 * time.Second
	// Shorter than a replica keeps an idle connection, so that none breaks while a request is sent on it.
	idleConnTimeout = 30 * time.Second
	idlePerReplica  = 1024
	// How long, in time and in bytes, the rest of a body is read whose answer is complete.
	lingerTimeout = 5 * time.Second
	maxRest       = 16 << 20
)

type (
	hostsKey      struct{}
	connectionKey struct{}
	answeredKey   struct{}
)

// newCounter numbers the connections of a server.
func newCounter() func(context.Context, net.Conn) context.Context {
	var last atomic.Uint64
	return func(ctx context.Context, _ net.Conn) context.Context {
		return context.WithValue(ctx, connectionKey{}, last.Add(1))
	}
}

// newProxy serves the current routes.
func newProxy(routes *routes) http.Handler {
	proxy := &httputil.ReverseProxy{
		Rewrite:       forward,
		Transport:     newTransport(),
		FlushInterval: -1,
		ModifyResponse: func(response *http.Response) error {
			response.Request.Context().Value(answeredKey{}).(func())()
			return nil
		},
		ErrorHandler: func(writer http.ResponseWriter, request *http.Request, err error) {
			answerFailure(writer, request, err)
		},
		ErrorLog:   log.New(io.Discard, "", 0),
		BufferPool: newBuffers(),
	}
	turns := newTurns()
	return http.HandlerFunc(func(writer http.ResponseWriter, request *http.Request) {
		found := (*routes.current.Load()).find(request.Host, request.URL.Path)
		if found == nil {
			answerError(writer, request, http.StatusNotFound)
			return
		}
		// Otherwise the server reads what is left of the body itself, and closes it, when an answer begins before the transport has
		// seen the end of the body. For the transport that is a failure, which cuts off the answer: a race that one POST in some
		// ten thousand loses.
		_ = http.NewResponseController(writer).EnableFullDuplex()
		connection, _ := request.Context().Value(connectionKey{}).(uint64)
		hosts := found.hostsFor(connection)
		if len(hosts) == 0 {
			answerError(writer, request, http.StatusBadGateway)
			return
		}
		answered := turns.begin(request.Context(), callerOf(request))
		if answered == nil {
			answerError(writer, request, http.StatusTooManyRequests)
			return
		}
		defer answered()
		ctx := context.WithValue(context.WithValue(request.Context(), hostsKey{}, hosts), answeredKey{}, answered)
		proxy.ServeHTTP(writer, request.WithContext(ctx))
		readRest(writer, request.Body)
	})
}

// readRest reads what is left of a body whose answer came first. If the server found the end of it after the handler, in full
// duplex, it would read the connection for the next request twice at the same time, and drop it. A body that does not end in
// time, or is longer than any that is accepted, ends its connection.
func readRest(writer http.ResponseWriter, body io.Reader) {
	controller := http.NewResponseController(writer)
	_ = controller.Flush()
	_ = controller.SetReadDeadline(time.Now().Add(lingerTimeout))
	if _, err := io.Copy(io.Discard, io.LimitReader(body, maxRest)); err == nil {
		_ = controller.SetReadDeadline(time.Time{})
	}
}

// forward passes on the request as it came: the host, the path and the query are not changed, even where they are unusual.
func forward(pair *httputil.ProxyRequest) {
	hosts := hostsOf(pair.In.Context())
	pair.Out.URL.Scheme = "http"
	pair.Out.URL.Host = hosts[0]
	pair.Out.URL.RawQuery = pair.In.URL.RawQuery
	pair.Out.URL.ForceQuery = pair.In.URL.ForceQuery
	pair.Out.Host = pair.In.Host
	pair.SetXForwarded()
	if local, isKnown := pair.In.Context().Value(http.LocalAddrContextKey).(net.Addr); isKnown {
		if _, port, err := net.SplitHostPort(local.String()); err == nil {
			pair.Out.Header.Set("X-Forwarded-Port", port)
		}
	}
}

func hostsOf(ctx context.Context) []string {
	hosts, _ := ctx.Value(hostsKey{}).([]string)
	return hosts
}

func newTransport() http.RoundTripper {
	dialer := &net.Dialer{Timeout: dialTimeout, KeepAlive: 30 * time.Second}
	return &failover{next: &http.Transport{
		DialContext:         dialer.DialContext,
		MaxIdleConnsPerHost: idlePerReplica,
		IdleConnTimeout:     idleConnTimeout,
		DisableCompression:  true,
	}}
}

// failover sends a request to the next replica when one does not accept a connection. Nothing of the request was sent by
// then, so this is safe for every method, also with a body.
type failover struct{ next http.RoundTripper }

func (f *failover) RoundTrip(request *http.Request) (*http.Response, error) {
	body := request.Body
	var response *http.Response
	var err error
	for _, host := range hostsOf(request.Context()) {
		address := *request.URL
		address.Host = host
		attempt := request.WithContext(request.Context())
		attempt.URL = &address
		if body != nil {
			// A transport closes the body of a request that it could not send.
			attempt.Body = keptOpen{body}
		}
		response, err = f.next.RoundTrip(attempt)
		if err == nil || !isDialError(err) || request.Context().Err() != nil {
			return response, err
		}
	}
	return response, err
}

func isDialError(err error) bool {
	var failed *net.OpError
	return errors.As(err, &failed) && failed.Op == "dial"
}

// keptOpen is closed by the server that reads the request, not by the transport that sends it on.
type keptOpen struct{ io.Reader }

func (keptOpen) Close() error { return nil }
