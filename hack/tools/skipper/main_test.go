package main

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/zalando/skipper/eskip"
	"github.com/zalando/skipper/filters/builtin"
	"github.com/zalando/skipper/loadbalancer"
	"github.com/zalando/skipper/proxy"
	"github.com/zalando/skipper/routing"
	"github.com/zalando/skipper/routing/testdataclient"
)

// A proxy with the additions, in front of one route.
func start(t *testing.T, route *eskip.Route) *httptest.Server {
	t.Helper()
	known := newEndpoints()
	route = known.Do([]*eskip.Route{route})[0]
	filters := builtin.MakeRegistry()
	filters.Register(errorSpec{})
	filters.Register(upgradeSpec{known.wrap(http.DefaultTransport)})
	route.Filters = append([]*eskip.Filter{{Name: errorFilterName}}, route.Filters...)
	endpoints := routing.NewEndpointRegistry(routing.RegistryOptions{})
	routes := routing.New(routing.Options{
		FilterRegistry:  filters,
		DataClients:     []routing.DataClient{testdataclient.New([]*eskip.Route{route})},
		PostProcessors:  []routing.PostProcessor{loadbalancer.NewAlgorithmProvider(), endpoints},
		SignalFirstLoad: true,
	})
	<-routes.FirstLoad()
	params := proxy.Params{Routing: routes, EndpointRegistry: endpoints, CustomHttpRoundTripperWrap: known.wrap}
	tested := proxy.WithParams(params)
	server := httptest.NewServer(wrapUpgrades(tested))
	t.Cleanup(func() {
		server.Close()
		tested.Close()
		routes.Close()
	})
	return server
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

// What follows the 101 in one packet, and what is sent later, in both directions.
func TestAnUpgradeLosesNothing(t *testing.T) {
	greeter := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		connection, buffered, _ := w.(http.Hijacker).Hijack()
		defer connection.Close()
		io.WriteString(connection, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\nhello from "+r.Host+r.URL.RequestURI()+"\n")
		io.Copy(connection, buffered)
	}))
	defer greeter.Close()
	for name, route := range map[string]*eskip.Route{
		"several replicas": balanced(refusing(t), greeter.URL),
		"one replica":      {Id: "one", BackendType: eskip.NetworkBackend, Backend: greeter.URL},
	} {
		t.Run(name, func(t *testing.T) {
			proxied, _ := url.Parse(start(t, route).URL)
			connection, err := net.Dial("tcp", proxied.Host)
			if err != nil {
				t.Fatal(err)
			}
			defer connection.Close()
			io.WriteString(connection, "GET /a%2Fb?c HTTP/1.1\r\nHost: slipway\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n")
			reader := bufio.NewReader(connection)
			if response, err := http.ReadResponse(reader, nil); err != nil || response.StatusCode != 101 {
				t.Fatalf("got %v %v", response, err)
			}
			io.WriteString(connection, "one\ntwo\n")
			for _, expected := range []string{"hello from slipway/a%2Fb?c\n", "one\n", "two\n"} {
				if line, _ := reader.ReadString('\n'); line != expected {
					t.Fatalf("got %q instead of %q", line, expected)
				}
			}
		})
	}
}

func TestARefusedUpgradePassesAsItIs(t *testing.T) {
	refusal := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "7")
		w.WriteHeader(503)
		io.WriteString(w, "its own")
	}))
	defer refusal.Close()
	request, _ := http.NewRequest("GET", start(t, balanced(refusal.URL)).URL, nil)
	request.Header.Set("Connection", "Upgrade")
	request.Header.Set("Upgrade", "websocket")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if text, _ := io.ReadAll(response.Body); response.Header.Get("Retry-After") != "7" || string(text) != "its own" {
		t.Fatalf("got %q %q", response.Header.Get("Retry-After"), text)
	}
}
