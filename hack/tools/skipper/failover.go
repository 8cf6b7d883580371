package main

import (
	"errors"
	"io"
	"net/http"
	"net/url"
	"sync/atomic"

	"github.com/zalando/skipper/eskip"
)

// endpoints knows the replicas behind each route.
type endpoints struct {
	// The hosts that serve the same route, by each of these hosts.
	siblings atomic.Pointer[map[string][]string]
}

func newEndpoints() *endpoints {
	known := &endpoints{}
	known.siblings.Store(&map[string][]string{})
	return known
}

// Do learns the endpoints of all routes, and gives each route the filter for WebSockets, which knows them too.
func (known *endpoints) Do(routes []*eskip.Route) []*eskip.Route {
	siblings := map[string][]string{}
	changed := make([]*eskip.Route, len(routes))
	for i, route := range routes {
		addresses := route.LBEndpoints
		if route.BackendType == eskip.NetworkBackend {
			addresses = []string{route.Backend}
		}
		hosts, args := []string{}, []interface{}{}
		for _, address := range addresses {
			if parsed, err := url.Parse(address); err == nil {
				hosts, args = append(hosts, parsed.Host), append(args, parsed.Host)
			}
		}
		for _, host := range hosts {
			siblings[host] = hosts
		}
		// skipper hands over the same objects again after the next change.
		own := *route
		own.Filters = append([]*eskip.Filter{{Name: upgradeFilterName, Args: args}}, route.Filters...)
		changed[i] = &own
	}
	known.siblings.Store(&siblings)
	return changed
}

func (known *endpoints) wrap(next http.RoundTripper) http.RoundTripper {
	return &failover{next: next, known: known}
}

// failover sends a request to the next replica when one does not accept a connection. Nothing of the request was sent by
// then, so this is safe for every method, also with a body: skipper itself tries again only without one.
type failover struct {
	next  http.RoundTripper
	known *endpoints
}

func (f *failover) RoundTrip(request *http.Request) (*http.Response, error) {
	body := request.Body
	tried := map[string]bool{}
	for attempt := request; ; {
		if body != nil {
			// A transport closes the body of a request that it could not send.
			attempt = attempt.Clone(attempt.Context())
			attempt.Body = keptOpen{body}
		}
		response, err := f.next.RoundTrip(attempt)
		if err == nil || !isDialError(err) || request.Context().Err() != nil {
			return response, err
		}
		tried[attempt.URL.Host] = true
		host := f.untried(attempt.URL.Host, tried)
		if host == "" {
			return response, err
		}
		attempt = attempt.Clone(attempt.Context())
		attempt.URL.Host = host
	}
}

func (f *failover) untried(host string, tried map[string]bool) string {
	for _, other := range (*f.known.siblings.Load())[host] {
		if !tried[other] {
			return other
		}
	}
	return ""
}

func isDialError(err error) bool {
	var dialing interface{ DialError() bool }
	return errors.As(err, &dialing) && dialing.DialError()
}

// keptOpen is closed by the server that reads the request, not by the transport that sends it on.
type keptOpen struct{ io.Reader }

func (keptOpen) Close() error { return nil }
