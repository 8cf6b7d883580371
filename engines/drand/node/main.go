// A node of a drand committee: runs drand, and holds the ceremony in which the nodes create their common key.
//
// The first peer leads. Whenever all peers can be reached and do not all have the committee's key, because the committee
// is new, a node has lost its data, or all were stopped for long, the leader holds a ceremony: each node forgets the
// former key, joins, and has a share of the new one. A ceremony that does not end well is held again.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"
)

const (
	scheme = "bls-bn254-unchained-on-g1"
	// How long a ceremony may take.
	patience = 90 * time.Second
	// A chain that lags behind by more rounds, for so long, is given up: its nodes would take too long to catch up.
	maxLag   = 120
	lagGrace = 30 * time.Second
)

func main() {
	own := flag.String("own", "", "HOST:PORT of this node's drand, as others reach it")
	peers := flag.String("peers", "", "HOST:PORT of all nodes' drand, by commas, the leader first")
	threshold := flag.Int("threshold", 3, "how many nodes sign")
	data := flag.String("data", "/data", "where the node keeps its share")
	tokenFile := flag.String("token-file", "", "what nodes of the committee tell each other to be believed")
	drand := flag.String("drand", "/usr/local/bin/drand", "the program")
	ports := flag.String("ports", "8000,8080,8081,8888,8090", "drand, users' HTTP, nodes' HTTP, drand's control and HTTP")
	flag.Parse()
	token, err := os.ReadFile(*tokenFile)
	if err != nil {
		log.Fatalf("cannot read the token: %v", err)
	}
	at := strings.Split(*ports, ",")
	if len(at) != 5 {
		log.Fatal("--ports needs five ports")
	}
	node := &node{
		own: *own, peers: strings.Split(*peers, ","), threshold: *threshold, data: *data, drand: *drand,
		token: strings.TrimSpace(string(token)), port: ports5{at[0], at[1], at[2], at[3], at[4]},
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	if err := node.resume(ctx); err != nil {
		log.Fatalf("cannot start: %v", err)
	}
	go serve(":"+node.port.users, node.usersAPI())
	go serve(":"+node.port.nodes, node.nodesAPI())
	if node.own == node.peers[0] {
		go node.lead(ctx)
	}
	<-ctx.Done()
	node.stop()
}

func serve(address string, handler http.Handler) {
	log.Fatal(http.ListenAndServe(address, handler))
}

// What a node tells its leader.
type state struct {
	Ceremony  string `json:"ceremony"`
	Confirmed bool   `json:"confirmed"`
	PublicKey string `json:"publicKey"`
	// Rounds that are due but not signed.
	Lag int64 `json:"lag"`
}

// The leader's work: a ceremony whenever one is needed and everybody is there.
func (n *node) lead(ctx context.Context) {
	var lagging time.Time
	for ctx.Err() == nil {
		time.Sleep(time.Second)
		states, err := n.askAll()
		if err != nil {
			lagging = time.Time{}
			continue
		}
		reason := whyNew(states)
		if isLagging(states) {
			if lagging.IsZero() {
				lagging = time.Now()
			}
			if time.Since(lagging) > lagGrace {
				reason = "the committee was stopped for long"
			}
		} else {
			lagging = time.Time{}
		}
		if reason == "" {
			continue
		}
		log.Printf("holding a ceremony: %s", reason)
		lagging = time.Time{}
		if err := n.hold(ctx); err != nil {
			log.Printf("the ceremony failed and is repeated: %v", err)
		} else {
			log.Print("the committee has its key")
		}
	}
}

func whyNew(states []state) string {
	for _, one := range states {
		if !one.Confirmed {
			return "a node has no share"
		}
		if one.Ceremony != states[0].Ceremony || one.PublicKey != states[0].PublicKey && one.PublicKey != "" {
			return "a node has another key"
		}
	}
	return ""
}

func isLagging(states []state) bool {
	for _, one := range states {
		if one.Lag > maxLag {
			return true
		}
	}
	return false
}

func (n *node) askAll() ([]state, error) {
	states := make([]state, 0, len(n.peers))
	for _, peer := range n.peers {
		body, err := n.tell(peer, http.MethodGet, "/state")
		if err != nil {
			return nil, err
		}
		var one state
		if err := json.Unmarshal(body, &one); err != nil {
			return nil, err
		}
		states = append(states, one)
	}
	return states, nil
}

// hold creates a new key with all peers.
func (n *node) hold(ctx context.Context) error {
	ceremony := fmt.Sprint(time.Now().UnixMilli())
	if err := n.tellAll("/begin?ceremony=" + ceremony); err != nil {
		return err
	}
	proposal := n.folder(ceremony) + "/proposal.toml"
	args := []string{"dkg", "generate-proposal", "--control", n.port.control, "--id", "default", "--out", proposal}
	for _, peer := range n.peers {
		args = append(args, "--joiner", peer)
	}
	if err := n.run(ctx, args...); err != nil {
		return err
	}
	if err := n.run(ctx, "dkg", "init", "--control", n.port.control, "--id", "default", "--proposal", proposal,
		"--threshold", fmt.Sprint(n.threshold), "--period", "1s", "--catchup-period", "0s", "--scheme", scheme,
		"--genesis-delay", "15s", "--timeout", patience.String()); err != nil {
		return err
	}
	for _, peer := range n.peers[1:] {
		if _, err := n.tell(peer, http.MethodPost, "/join"); err != nil {
			return err
		}
	}
	if err := n.run(ctx, "dkg", "execute", "--control", n.port.control, "--id", "default"); err != nil {
		return err
	}
	if err := n.awaitKey(ctx); err != nil {
		return err
	}
	return n.tellAll("/confirm?ceremony=" + ceremony)
}

// awaitKey waits until all nodes have the same key and sign with it.
func (n *node) awaitKey(ctx context.Context) error {
	for end := time.Now().Add(patience); time.Now().Before(end) && ctx.Err() == nil; time.Sleep(time.Second) {
		states, err := n.askAll()
		if err != nil {
			return err
		}
		if haveOneKey(states) {
			return nil
		}
	}
	return fmt.Errorf("not all nodes had the key after %s", patience)
}

func haveOneKey(states []state) bool {
	for _, one := range states {
		if one.PublicKey == "" || one.PublicKey != states[0].PublicKey || one.Lag != 0 {
			return false
		}
	}
	return true
}

func (n *node) tellAll(path string) error {
	for _, peer := range n.peers {
		if _, err := n.tell(peer, http.MethodPost, path); err != nil {
			return err
		}
	}
	return nil
}
