// Command skipper is the ingress controller of the native node: skipper with its usual options, and three additions. A
// request whose replica does not accept a connection goes to another one, what skipper answers by itself is an Error
// object of the API, and WebSockets lose nothing.
package main

import (
	"log"
	"net/http"

	"github.com/zalando/skipper"
	"github.com/zalando/skipper/config"
	"github.com/zalando/skipper/eskip"
	"github.com/zalando/skipper/routing"
)

func main() {
	cfg := config.NewConfig()
	if err := cfg.Parse(); err != nil {
		log.Fatalf("Error processing config: %s", err)
	}
	options := cfg.ToOptions()
	endpoints := newEndpoints()
	options.CustomRoutingPreProcessors = append(options.CustomRoutingPreProcessors, routing.PreProcessor(endpoints))
	options.CustomHttpRoundTripperWrap = endpoints.wrap
	// The options for forwarded headers are a wrapper, too.
	outer := options.CustomHttpHandlerWrap
	options.CustomHttpHandlerWrap = func(inner http.Handler) http.Handler { return outer(wrapUpgrades(inner)) }
	options.CustomFilters = append(options.CustomFilters, errorSpec{}, upgradeSpec{endpoints.wrap(http.DefaultTransport)})
	// The first filter is the last to see a response.
	options.DefaultFilters = &eskip.DefaultFilters{Prepend: []*eskip.Filter{{Name: errorFilterName}}}
	if err := skipper.Run(options); err != nil {
		log.Fatal(err)
	}
}
