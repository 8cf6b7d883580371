package main

import (
	"context"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"time"
)

type ports5 struct{ drand, users, nodes, control, http string }

type node struct {
	own, data, drand, token string
	peers                   []string
	threshold               int
	port                    ports5

	lock      sync.Mutex
	ceremony  string
	confirmed bool
	process   *exec.Cmd
	ended     chan struct{}
}

var client = &http.Client{Timeout: 20 * time.Second}

const header = "X-Committee-Token"

// tell asks another node, or this one. The port is the same at all nodes unless they share a host, as in tests.
func (n *node) tell(peer, method, path string) ([]byte, error) {
	request, err := http.NewRequest(method, "http://"+n.apiOf(peer)+path, nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set(header, n.token)
	answer, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(io.LimitReader(answer.Body, 1<<20))
	if err == nil && answer.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s%s: %s: %s", peer, path, answer.Status, body)
	}
	return body, err
}

// apiOf is the address of a peer's API for nodes: its port is as far from drand's as this node's.
func (n *node) apiOf(peer string) string {
	host, port, _ := net.SplitHostPort(peer)
	var theirs, drand, nodes int
	fmt.Sscan(port, &theirs)
	fmt.Sscan(n.port.drand, &drand)
	fmt.Sscan(n.port.nodes, &nodes)
	return net.JoinHostPort(host, fmt.Sprint(theirs+nodes-drand))
}

func (n *node) nodesAPI() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /state", func(w http.ResponseWriter, _ *http.Request) {
		_ = json.NewEncoder(w).Encode(n.state())
	})
	mux.HandleFunc("POST /begin", answering(func(r *http.Request) error { return n.begin(r.FormValue("ceremony")) }))
	mux.HandleFunc("POST /join", answering(func(r *http.Request) error {
		return n.run(r.Context(), "dkg", "join", "--control", n.port.control, "--id", "default")
	}))
	mux.HandleFunc("POST /confirm", answering(func(r *http.Request) error { return n.confirm(r.FormValue("ceremony")) }))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if subtle.ConstantTimeCompare([]byte(r.Header.Get(header)), []byte(n.token)) != 1 {
			http.Error(w, "not a node of this committee", http.StatusForbidden)
			return
		}
		mux.ServeHTTP(w, r)
	})
}

func answering(act func(*http.Request) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if err := act(r); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
		}
	}
}

// usersAPI is drand's own, to read only, once all nodes have the key.
func (n *node) usersAPI() http.Handler {
	target, _ := url.Parse("http://127.0.0.1:" + n.port.http)
	proxy := httputil.NewSingleHostReverseProxy(target)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n.lock.Lock()
		confirmed := n.confirmed
		n.lock.Unlock()
		switch {
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			http.Error(w, "read only", http.StatusMethodNotAllowed)
		case !confirmed:
			http.Error(w, "the committee has no key yet", http.StatusServiceUnavailable)
		default:
			proxy.ServeHTTP(w, r)
		}
	})
}

func (n *node) state() state {
	n.lock.Lock()
	found := state{Ceremony: n.ceremony, Confirmed: n.confirmed}
	n.lock.Unlock()
	var info struct {
		PublicKey string `json:"public_key"`
		Genesis   int64  `json:"genesis_time"`
		Period    int64  `json:"period"`
	}
	var latest struct {
		Round int64 `json:"round"`
	}
	if n.read("/info", &info) != nil || info.Period == 0 {
		return found
	}
	found.PublicKey = info.PublicKey
	_ = n.read("/public/latest", &latest)
	if due := (time.Now().Unix()-info.Genesis)/info.Period - latest.Round; due > 1 || latest.Round == 0 {
		found.Lag = max(due, 1)
	}
	return found
}

func (n *node) read(path string, into any) error {
	answer, err := (&http.Client{Timeout: 2 * time.Second}).Get("http://127.0.0.1:" + n.port.http + path)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return errors.New(answer.Status)
	}
	return json.NewDecoder(answer.Body).Decode(into)
}

func (n *node) folder(ceremony string) string { return filepath.Join(n.data, "ceremony-"+ceremony) }

func (n *node) confirmation() string { return filepath.Join(n.data, "confirmed") }

// resume goes on with the key that all nodes had.
func (n *node) resume(ctx context.Context) error {
	text, err := os.ReadFile(n.confirmation())
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	n.lock.Lock()
	defer n.lock.Unlock()
	n.ceremony, n.confirmed = strings.TrimSpace(string(text)), true
	return n.start()
}

var ceremonyName = regexp.MustCompile(`^[0-9]{1,20}$`)

// begin forgets the former key and starts drand for a new one.
func (n *node) begin(ceremony string) error {
	if !ceremonyName.MatchString(ceremony) {
		return errors.New("no ceremony")
	}
	n.lock.Lock()
	defer n.lock.Unlock()
	n.stopDrand()
	n.ceremony, n.confirmed = ceremony, false
	if err := os.Remove(n.confirmation()); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	former, _ := filepath.Glob(filepath.Join(n.data, "ceremony-*"))
	for _, folder := range former {
		if err := os.RemoveAll(folder); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(n.folder(ceremony), 0o700); err != nil {
		return err
	}
	if err := n.run(context.Background(), "generate-keypair", "--folder", n.folder(ceremony), "--id", "default",
		"--scheme", scheme, n.own); err != nil {
		return err
	}
	return n.start()
}

// confirm makes the key durable: the rename is atomic, and a node without the file has no share after a restart.
func (n *node) confirm(ceremony string) error {
	n.lock.Lock()
	defer n.lock.Unlock()
	if ceremony != n.ceremony {
		return errors.New("another ceremony")
	}
	draft := n.confirmation() + ".draft"
	if err := os.WriteFile(draft, []byte(ceremony), 0o600); err != nil {
		return err
	}
	if err := os.Rename(draft, n.confirmation()); err != nil {
		return err
	}
	n.confirmed = true
	return nil
}

// start runs drand and returns once it serves. A drand that ends by itself ends this process too: it is started again.
func (n *node) start() error {
	command := exec.Command(n.drand, "start", "--folder", n.folder(n.ceremony), "--private-listen", "0.0.0.0:"+n.port.drand,
		"--public-listen", "127.0.0.1:"+n.port.http, "--control", n.port.control, "--db", "bolt")
	command.Stdout, command.Stderr = os.Stdout, os.Stderr
	if err := command.Start(); err != nil {
		return err
	}
	ended := make(chan struct{})
	n.process, n.ended = command, ended
	go func() {
		_ = command.Wait()
		close(ended)
		n.lock.Lock()
		defer n.lock.Unlock()
		if n.process == command {
			os.Exit(1)
		}
	}()
	for end := time.Now().Add(15 * time.Second); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if connection, err := net.Dial("tcp", "127.0.0.1:"+n.port.control); err == nil {
			return connection.Close()
		}
	}
	return errors.New("drand does not serve")
}

func (n *node) stop() {
	n.lock.Lock()
	defer n.lock.Unlock()
	n.stopDrand()
}

func (n *node) stopDrand() {
	command := n.process
	n.process = nil
	if command == nil {
		return
	}
	_ = command.Process.Signal(syscall.SIGTERM)
	select {
	case <-n.ended:
	case <-time.After(5 * time.Second):
		_ = command.Process.Kill()
		<-n.ended
	}
}

// run runs one of drand's commands.
func (n *node) run(ctx context.Context, args ...string) error {
	output, err := exec.CommandContext(ctx, n.drand, args...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("drand %s: %w: %s", strings.Join(args[:2], " "), err, output)
	}
	return nil
}
