package main

import (
	"cmp"
	"math/bits"
	"net"
	"slices"
	"strconv"
	"strings"
)

// target is the port of a Service, with the addresses that serve it.
type target struct {
	hosts []string
}

// goldenRatio is the fraction of the golden ratio, times 2^64. Its multiples are spread evenly, and so is every second or
// third of them.
const goldenRatio = 0x9e3779b97f4a7c15

// hostsFor returns all addresses in the order in which the requests of a connection try them. The number of the connection
// chooses the first one, and the others follow in turn. So the requests of one connection go to one replica as long as that
// accepts them, and those of many connections to all replicas, also when clients open their connections in pairs.
func (t *target) hostsFor(connection uint64) []string {
	if len(t.hosts) < 2 {
		return t.hosts
	}
	first, _ := bits.Mul64(connection*goldenRatio, uint64(len(t.hosts)))
	return slices.Concat(t.hosts[first:], t.hosts[:first])
}

type rule struct {
	path    string
	isExact bool
	target  *target
}

func (r rule) matches(path string) bool {
	if r.isExact {
		return path == r.path
	}
	rest, isBelow := strings.CutPrefix(path, strings.TrimSuffix(r.path, "/"))
	return isBelow && (rest == "" || rest[0] == '/')
}

// table has the rules for each host, those of longer paths first. `*.example.com` stands for each name one level below, and
// the empty host for all others.
type table map[string][]rule

func (t table) find(host, path string) *target {
	name := strings.ToLower(host)
	if withoutPort, _, err := net.SplitHostPort(name); err == nil {
		name = withoutPort
	}
	_, parent, _ := strings.Cut(name, ".")
	for _, key := range []string{name, "*." + parent, ""} {
		for _, one := range t[key] {
			if one.matches(path) {
				return one.target
			}
		}
	}
	return nil
}

// buildTable makes the table of all Ingresses. `hostsOf` knows the addresses of a backend.
func buildTable(ingresses map[string]ingress, hostsOf func(namespace string, wanted backend) []string) table {
	built := table{}
	add := func(host string, namespace string, path ingressPath) {
		one := rule{
			path:    cmp.Or(path.Path, "/"),
			isExact: path.PathType == "Exact",
			target:  &target{hosts: hostsOf(namespace, path.Backend)},
		}
		built[strings.ToLower(host)] = append(built[strings.ToLower(host)], one)
	}
	for _, one := range ingresses {
		namespace := one.Metadata.Namespace
		for _, of := range one.Spec.Rules {
			for _, path := range of.HTTP.Paths {
				add(of.Host, namespace, path)
			}
		}
		if one.Spec.DefaultBackend != nil {
			add("", namespace, ingressPath{Backend: *one.Spec.DefaultBackend})
		}
	}
	for _, rules := range built {
		slices.SortStableFunc(rules, func(a, b rule) int {
			if a.isExact != b.isExact && a.path == b.path {
				return map[bool]int{true: -1, false: 1}[a.isExact]
			}
			return cmp.Compare(len(b.path), len(a.path))
		})
	}
	return built
}

// readyHosts returns the addresses of a port of a Service whose pods are ready, sorted.
func readyHosts(of map[string]endpointSlice, portName string) []string {
	hosts := []string{}
	for _, slice := range of {
		for _, port := range slice.Ports {
			if port.Name != portName {
				continue
			}
			for _, endpoint := range slice.Endpoints {
				if endpoint.Conditions.Ready == nil || *endpoint.Conditions.Ready {
					for _, address := range endpoint.Addresses {
						hosts = append(hosts, net.JoinHostPort(address, strconv.Itoa(port.Port)))
					}
				}
			}
		}
	}
	slices.Sort(hosts)
	return slices.Compact(hosts)
}

// portNameOf returns the name of the port that a backend means; ports of one name are the same in a Service and its slices.
func portNameOf(of map[string]service, wanted backend) (string, bool) {
	for _, one := range of {
		for _, port := range one.Spec.Ports {
			if port.Name == wanted.Service.Port.Name && port.Name != "" || port.Port == wanted.Service.Port.Number {
				return port.Name, true
			}
		}
	}
	return "", false
}
