package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"
)

const (
	serviceAccount = "/var/run/secrets/kubernetes.io/serviceaccount"
	// A watch ends by itself after this many seconds, and is begun again.
	watchSeconds = "300"
	retryDelay   = time.Second
	maxErrorText = 300
)

// kubeAPI reads from a Kubernetes API server.
type kubeAPI struct {
	base   string
	client *http.Client
	// The file with the token, which Kubernetes replaces before it expires; empty: no token is sent.
	tokenFile string
}

// connect returns the API at an address that asks for no credentials, or that of the cluster that this runs in.
func connect(address string) (*kubeAPI, error) {
	if address != "" {
		return &kubeAPI{base: strings.TrimSuffix(address, "/"), client: &http.Client{}}, nil
	}
	authority, err := os.ReadFile(serviceAccount + "/ca.crt")
	if err != nil {
		return nil, err
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(authority)
	host := net.JoinHostPort(os.Getenv("KUBERNETES_SERVICE_HOST"), os.Getenv("KUBERNETES_SERVICE_PORT"))
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}, ForceAttemptHTTP2: true}
	return &kubeAPI{
		base:      "https://" + host,
		client:    &http.Client{Transport: transport},
		tokenFile: serviceAccount + "/token",
	}, nil
}

// selection is some objects of one kind: the path of their list, and a query that narrows it.
type selection struct {
	path  string
	query url.Values
}

type metadata struct {
	Name            string
	Namespace       string
	ResourceVersion string
}

type object interface{ meta() metadata }

func (m metadata) key() string { return m.Namespace + "/" + m.Name }

// watchAll hands over all objects of a selection whenever one of them has changed, until the context ends. What was seen last
// stays while the API cannot be reached.
func watchAll[T object](ctx context.Context, api *kubeAPI, chosen selection, changed func(map[string]T)) {
	for ctx.Err() == nil {
		if err := watchOnce(ctx, api, chosen, changed); err != nil && ctx.Err() == nil {
			log.Printf("watching %s: %v", chosen.path, err)
			select {
			case <-ctx.Done():
			case <-time.After(retryDelay):
			}
		}
	}
}

// watchOnce lists the objects and follows them until the server ends the watch.
func watchOnce[T object](ctx context.Context, api *kubeAPI, chosen selection, changed func(map[string]T)) error {
	var list struct {
		Metadata metadata
		Items    []T
	}
	if err := api.get(ctx, chosen, nil, func(body *json.Decoder) error { return body.Decode(&list) }); err != nil {
		return err
	}
	known := map[string]T{}
	for _, item := range list.Items {
		known[item.meta().key()] = item
	}
	changed(known)
	more := url.Values{
		"watch":           {"1"},
		"resourceVersion": {list.Metadata.ResourceVersion},
		"timeoutSeconds":  {watchSeconds},
	}
	return api.get(ctx, chosen, more, func(body *json.Decoder) error { return applyEvents(body, known, changed) })
}

func applyEvents[T object](body *json.Decoder, known map[string]T, changed func(map[string]T)) error {
	for {
		var event struct {
			Type   string
			Object json.RawMessage
		}
		if err := body.Decode(&event); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		if event.Type == "ERROR" {
			return fmt.Errorf("the watch ended: %.*s", maxErrorText, event.Object)
		}
		var subject T
		if err := json.Unmarshal(event.Object, &subject); err != nil {
			return err
		}
		if event.Type == "DELETED" {
			delete(known, subject.meta().key())
		} else {
			known[subject.meta().key()] = subject
		}
		changed(known)
	}
}

func (api *kubeAPI) get(ctx context.Context, chosen selection, more url.Values, read func(*json.Decoder) error) error {
	query := url.Values{}
	for _, values := range []url.Values{chosen.query, more} {
		for name, value := range values {
			query[name] = value
		}
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, api.base+chosen.path+"?"+query.Encode(), nil)
	if err != nil {
		return err
	}
	if api.tokenFile != "" {
		token, err := os.ReadFile(api.tokenFile)
		if err != nil {
			return err
		}
		request.Header.Set("Authorization", "Bearer "+string(token))
	}
	response, err := api.client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(io.LimitReader(response.Body, maxErrorText))
		return fmt.Errorf("%s: %s", response.Status, text)
	}
	return read(json.NewDecoder(response.Body))
}
