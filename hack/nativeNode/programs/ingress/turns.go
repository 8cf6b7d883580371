package main

import (
	"context"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"
)

const (
	// Requests of a caller that are sent on before the first of them is answered. More of them would wait at the replica, whose
	// connections and processor others need.
	startsPerCaller = 16
	// A request that a replica works on for longer makes room for the next one.
	startTimeout = 100 * time.Millisecond
	// Requests of a caller that wait for their turn.
	maxWaiting = 4096
)

// turns lets the requests of each caller start one after the other when it sends many at once.
type turns struct {
	mutex   sync.Mutex
	callers map[string]*caller
}

type caller struct {
	started int
	waiting []chan struct{}
}

func newTurns() *turns { return &turns{callers: map[string]*caller{}} }

// begin waits until a request of the caller may start. The returned function says that it is answered; it may be called again.
// The result is nil if too many wait, or if the caller is known to have left.
func (t *turns) begin(ctx context.Context, name string) func() {
	t.mutex.Lock()
	one := t.callers[name]
	if one == nil {
		one = &caller{}
		t.callers[name] = one
	}
	if one.started < startsPerCaller {
		one.started++
		t.mutex.Unlock()
		return t.started(name, one)
	}
	if len(one.waiting) >= maxWaiting {
		t.mutex.Unlock()
		return nil
	}
	turn := make(chan struct{})
	one.waiting = append(one.waiting, turn)
	t.mutex.Unlock()
	select {
	case <-turn:
		return t.started(name, one)
	case <-ctx.Done():
		t.leave(name, one, turn)
		return nil
	}
}

func (t *turns) started(name string, one *caller) func() {
	var once sync.Once
	end := func() { once.Do(func() { t.end(name, one) }) }
	timer := time.AfterFunc(startTimeout, end)
	return func() {
		timer.Stop()
		end()
	}
}

// end passes the turn on to the request that has waited longest.
func (t *turns) end(name string, one *caller) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if len(one.waiting) > 0 {
		close(one.waiting[0])
		one.waiting = one.waiting[1:]
		return
	}
	one.started--
	if one.started == 0 {
		delete(t.callers, name)
	}
}

// leave takes a request out of the line, or passes on the turn that it was given meanwhile.
func (t *turns) leave(name string, one *caller, turn chan struct{}) {
	t.mutex.Lock()
	for index, other := range one.waiting {
		if other == turn {
			one.waiting = append(one.waiting[:index], one.waiting[index+1:]...)
			t.mutex.Unlock()
			return
		}
	}
	t.mutex.Unlock()
	t.end(name, one)
}

// callerOf names who sends a request: the address, and what it says to be: the network whose URL it is, or the credentials. Nobody has
// verified them, so others cannot stand in its line.
func callerOf(request *http.Request) string {
	host, _, _ := net.SplitHostPort(request.RemoteAddr)
	if rest, isRPC := strings.CutPrefix(request.URL.Path, "/rpc/"); isRPC {
		network, _, _ := strings.Cut(rest, "/")
		return host + " network " + network
	}
	for _, header := range []string{"Authorization", "X-Api-Key-Id", "Cookie"} {
		if value := request.Header.Get(header); value != "" {
			return host + " " + header + " " + value
		}
	}
	return host
}
