package main

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/zalando/skipper/eskip"
	"github.com/zalando/skipper/filters/builtin"
	"github.com/zalando/skipper/proxy"
	"github.com/zalando/skipper/proxy/proxytest"
)

// A proxy with the additions, in front of one route.
func start(t *testing.T, route *eskip.Route) *proxytest.TestProxy {
	t.Helper()
	known := newEndpoints()
	known.Do([]*eskip.Route{route})
	registry := builtin.MakeRegistry()
	registry.Register(errorSpec{})
	route.Filters = append([]*eskip.Filter{{Name: errorFilterName}}, route.Filters...)
	tested := proxytest.WithParams(registry, proxy.Params{CustomHttpRoundTripperWrap: known.wrap}, route)
	t.Cleanup(func() { tested.Close() })
	return tested
}

// The address of a replica that has just ended.
func refusing(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return "http://" + listener.Addr().String()
}

func balanced(addresses ...string) *eskip.Route {
	return &eskip.Route{Id: "slipway", BackendType: eskip.LBBackend, LBAlgorithm: "roundRobin", LBEndpoints: addresses}
}

func post(t *testing.T, address string) (*http.Response, string) {
	t.Helper()
	request, _ := http.NewRequest("POST", address, strings.NewReader("a body"))
	request.Header.Set("X-Request-ID", "mine")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, _ := io.ReadAll(response.Body)
	return response, string(text)
}

func TestRequestWithABodyGoesToAnotherReplica(t *testing.T) {
	echo := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.Copy(w, r.Body) }))
	defer echo.Close()
	tested := start(t, balanced(refusing(t), echo.URL, refusing(t)))
	for range 12 {
		if response, text := post(t, tested.URL); response.StatusCode != 200 || text != "a body" {
			t.Fatalf("got %d %q", response.StatusCode, text)
		}
	}
}

func TestAnswersOfTheProxyAreErrorObjects(t *testing.T) {
	broken := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		connection, _, _ := w.(http.Hijacker).Hijack()
		connection.Close()
	}))
	defer broken.Close()
	parsed, _ := url.Parse(broken.URL)
	cases := map[string]*eskip.Route{
		"no replica accepts connections": balanced(refusing(t), refusing(t)),
		"a replica dies":                 {Id: "dying", BackendType: eskip.NetworkBackend, Backend: "http://" + parsed.Host},
		"there is no replica": {Id: "none", BackendType: eskip.ShuntBackend, Filters: []*eskip.Filter{
			{Name: "status", Args: []interface{}{502.0}}, {Name: "inlineContent", Args: []interface{}{"no endpoints"}},
		}},
	}
	for name, route := range cases {
		t.Run(name, func(t *testing.T) {
			response, text := post(t, start(t, route).URL)
			if response.StatusCode != 503 || response.Header.Get("Retry-After") != "1" {
				t.Errorf("got %d, Retry-After %q", response.StatusCode, response.Header.Get("Retry-After"))
			}
			if !strings.HasPrefix(text, `{"kind":"Error","reason":"Unavailable","message":"`) || !strings.HasSuffix(text, `"requestId":"mine"}`) {
				t.Errorf("got %s", text)
			}
		})
	}
}

func TestErrorsOfAReplicaPass(t *testing.T) {
	refusal := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(503)
		io.WriteString(w, "its own")
	}))
	defer refusal.Close()
	if response, text := post(t, start(t, balanced(refusal.URL)).URL); response.StatusCode != 503 || text != "its own" {
		t.Fatalf("got %d %q", response.StatusCode, text)
	}
}
