// Command ingress is the ingress controller of the native node and of kind clusters: it serves the Ingresses of one class
// over HTTP. A request whose replica does not accept a connection goes to another one, WebSockets and streams pass, and what
// the ingress answers by itself is an Error object of the API.
package main

import (
	"context"
	"errors"
	"flag"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"runtime"
	"syscall"
	"time"
)

const (
	idleTimeout = 10 * time.Minute
	// Eight times what a replica accepts, so that a larger request gets the replica's error. With the default of 1 MiB, a few
	// hundred connections could fill the memory.
	maxHeaderBytes = 128 << 10
	drainTimeout   = 4 * time.Second
)

func main() {
	address := flag.String("address", "127.0.0.1:8080", "where to listen")
	class := flag.String("class", "slipway", "the IngressClass to serve")
	kubernetes := flag.String("kubernetes", "", "the URL of a Kubernetes API that asks for no credentials; by default the cluster that this runs in")
	flag.Parse()
	// The replicas on this machine need the others. Threads of Go that look for work on all of them delay what they wait for.
	if os.Getenv("GOMAXPROCS") == "" {
		runtime.GOMAXPROCS(max(1, runtime.NumCPU()/2))
	}
	if err := run(*address, *class, *kubernetes); err != nil {
		log.Fatal(err)
	}
}

func run(address, class, kubernetes string) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	api, err := connect(kubernetes)
	if err != nil {
		return err
	}
	routes := follow(ctx, api, class)
	if err := routes.waitUntilLoaded(ctx); err != nil {
		return nil
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	server := &http.Server{
		Handler:        newProxy(routes),
		ConnContext:    newCounter(),
		IdleTimeout:    idleTimeout,
		MaxHeaderBytes: maxHeaderBytes,
	}
	go func() {
		<-ctx.Done()
		draining, cancel := context.WithTimeout(context.Background(), drainTimeout)
		defer cancel()
		server.Shutdown(draining)
	}()
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
