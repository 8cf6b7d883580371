package main

// The parts of Kubernetes' objects that the routes are made of.

type ingress struct {
	Metadata metadata
	Spec     struct {
		IngressClassName string
		DefaultBackend   *backend
		Rules            []struct {
			Host string
			HTTP struct{ Paths []ingressPath }
		}
	}
}

type ingressPath struct {
	Path     string
	PathType string
	Backend  backend
}

type backend struct {
	Service struct {
		Name string
		Port struct {
			Name   string
			Number int
		}
	}
}

type service struct {
	Metadata metadata
	Spec     struct {
		Ports []struct {
			Name string
			Port int
		}
	}
}

type endpointSlice struct {
	Metadata metadata
	Ports    []struct {
		Name string
		Port int
	}
	Endpoints []struct {
		Addresses  []string
		Conditions struct{ Ready *bool }
	}
}

func (i ingress) meta() metadata       { return i.Metadata }
func (s service) meta() metadata       { return s.Metadata }
func (s endpointSlice) meta() metadata { return s.Metadata }
