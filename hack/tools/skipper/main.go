// Command skipper is the ingress controller of the native node: skipper with its usual options, and two additions. A
// request whose replica does not accept a connection goes to another one, and what skipper answers by itself is an Error
// object of the API.
package main

import (
	"log"

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
	options.CustomFilters = append(options.CustomFilters, errorSpec{})
	// The first filter is the last to see a response.
	options.DefaultFilters = &eskip.DefaultFilters{Prepend: []*eskip.Filter{{Name: errorFilterName}}}
	if err := skipper.Run(options); err != nil {
		log.Fatal(err)
	}
}
