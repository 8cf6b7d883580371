package main

import (
	"context"
	"net/url"
	"sync"
	"sync/atomic"
)

// routes is the table as the cluster has it now.
type routes struct {
	current atomic.Pointer[table]
	loaded  chan struct{}
}

func (r *routes) waitUntilLoaded(ctx context.Context) error {
	select {
	case <-r.loaded:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// follower keeps the table up to date. It watches the Ingresses, and of Services and EndpointSlices only those that an
// Ingress names: a cluster may have many thousands.
type follower struct {
	ctx    context.Context
	api    *kubeAPI
	routes *routes
	class  string

	lock      sync.Mutex
	ingresses map[string]ingress
	backends  map[string]*followed
}

// followed is a Service that an Ingress names.
type followed struct {
	stop     context.CancelFunc
	services map[string]service
	slices   map[string]endpointSlice
}

func (f *followed) isLoaded() bool { return f.services != nil && f.slices != nil }

// follow begins to follow the Ingresses of a class.
func follow(ctx context.Context, api *kubeAPI, class string) *routes {
	f := &follower{
		ctx:      ctx,
		api:      api,
		class:    class,
		routes:   &routes{loaded: make(chan struct{})},
		backends: map[string]*followed{},
	}
	f.routes.current.Store(&table{})
	all := selection{path: "/apis/networking.k8s.io/v1/ingresses"}
	go watchAll(ctx, api, all, func(known map[string]ingress) { f.update(func() { f.setIngresses(known) }) })
	return f.routes
}

// update changes what is known, and builds the table again.
func (f *follower) update(change func()) {
	f.lock.Lock()
	defer f.lock.Unlock()
	change()
	built := buildTable(f.ingresses, f.hostsOf)
	f.routes.current.Store(&built)
	if f.isLoaded() {
		select {
		case <-f.routes.loaded:
		default:
			close(f.routes.loaded)
		}
	}
}

func (f *follower) isLoaded() bool {
	for _, one := range f.backends {
		if !one.isLoaded() {
			return false
		}
	}
	return f.ingresses != nil
}

func (f *follower) setIngresses(known map[string]ingress) {
	f.ingresses = map[string]ingress{}
	wanted := map[string]bool{}
	for key, one := range known {
		if one.Spec.IngressClassName != f.class {
			continue
		}
		f.ingresses[key] = one
		for _, name := range serviceNames(one) {
			wanted[one.Metadata.Namespace+"/"+name] = true
			f.followService(one.Metadata.Namespace, name)
		}
	}
	for key, one := range f.backends {
		if !wanted[key] {
			one.stop()
			delete(f.backends, key)
		}
	}
}

func serviceNames(of ingress) []string {
	names := []string{}
	for _, one := range of.Spec.Rules {
		for _, path := range one.HTTP.Paths {
			names = append(names, path.Backend.Service.Name)
		}
	}
	if of.Spec.DefaultBackend != nil {
		names = append(names, of.Spec.DefaultBackend.Service.Name)
	}
	return names
}

func (f *follower) followService(namespace, name string) {
	key := namespace + "/" + name
	if f.backends[key] != nil {
		return
	}
	ctx, stop := context.WithCancel(f.ctx)
	one := &followed{stop: stop}
	f.backends[key] = one
	services := selection{
		path:  "/api/v1/namespaces/" + url.PathEscape(namespace) + "/services",
		query: url.Values{"fieldSelector": {"metadata.name=" + name}},
	}
	slices := selection{
		path:  "/apis/discovery.k8s.io/v1/namespaces/" + url.PathEscape(namespace) + "/endpointslices",
		query: url.Values{"labelSelector": {"kubernetes.io/service-name=" + name}},
	}
	go watchAll(ctx, f.api, services, func(known map[string]service) { f.update(func() { one.services = known }) })
	go watchAll(ctx, f.api, slices, func(known map[string]endpointSlice) { f.update(func() { one.slices = known }) })
}

func (f *follower) hostsOf(namespace string, wanted backend) []string {
	one := f.backends[namespace+"/"+wanted.Service.Name]
	if one == nil {
		return nil
	}
	port, isKnown := portNameOf(one.services, wanted)
	if !isKnown {
		return nil
	}
	return readyHosts(one.slices, port)
}
