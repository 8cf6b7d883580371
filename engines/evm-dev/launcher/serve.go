package main

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"net/textproto"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	requestTime = 5 * time.Second
	maxHead     = 8 << 10
	maxPlan     = 16 << 20
	// Others wait in the queue of the port.
	maxConnections = 16
)

// desk takes the plan. Its methods may be called by several connections at once.
type desk struct {
	folder     string
	secretHash string
	mutex      sync.Mutex
	text       []byte
	plan       *Plan
}

// serve answers connections until there is a plan.
func serve(listener net.Listener, d *desk) *Plan {
	taken := make(chan *Plan, 1)
	places := make(chan struct{}, maxConnections)
	go func() {
		for {
			places <- struct{}{}
			connection, err := listener.Accept()
			if errors.Is(err, net.ErrClosed) {
				return
			}
			if err == nil {
				go func() {
					d.answer(connection, taken)
					<-places
				}()
			} else {
				<-places
			}
		}
	}()
	return <-taken
}

type answer struct {
	status int
	text   string
}

var waiting = answer{503, "no engine yet"}

func (d *desk) answer(connection net.Conn, taken chan<- *Plan) {
	defer connection.Close()
	_ = connection.SetDeadline(time.Now().Add(requestTime))
	reply := d.read(connection)
	body := fmt.Sprintf("{\"launcher\":%q}\n", reply.text)
	fmt.Fprintf(connection, "HTTP/1.1 %d %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s",
		reply.status, reply.text, len(body), body)
	if reply.status != 200 {
		return
	}
	connection.Close()
	select {
	case taken <- d.plan:
	default:
	}
}

// read returns the answer to a request: POST /plan, with the secret as its bearer token.
func (d *desk) read(connection net.Conn) answer {
	limited := io.LimitReader(connection, maxHead+maxPlan)
	head := bufio.NewReaderSize(limited, maxHead)
	lines := textproto.NewReader(head)
	first, err := lines.ReadLine()
	if err != nil || !strings.HasPrefix(first, "POST /plan ") {
		return waiting
	}
	header, err := lines.ReadMIMEHeader()
	if err != nil {
		return answer{400, "the request has no header"}
	}
	if !d.isAllowed(header.Get("Authorization")) {
		return answer{403, "wrong secret"}
	}
	size, err := strconv.Atoi(header.Get("Content-Length"))
	if err != nil || size < 0 || size > maxPlan {
		return answer{413, "the plan needs a Content-Length of at most 16 MiB"}
	}
	text := make([]byte, size)
	if _, err := io.ReadFull(head, text); err != nil {
		return answer{400, "the plan is incomplete"}
	}
	return d.take(text)
}

func (d *desk) isAllowed(authorization string) bool {
	sum := sha256.Sum256([]byte(strings.TrimPrefix(authorization, "Bearer ")))
	found := hex.EncodeToString(sum[:])
	return d.secretHash != "" && subtle.ConstantTimeCompare([]byte(found), []byte(d.secretHash)) == 1
}

// take stores the first plan. The same one again is fine; another is refused.
func (d *desk) take(text []byte) answer {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	if d.plan != nil {
		if bytes.Equal(d.text, text) {
			return answer{200, "taken"}
		}
		return answer{409, "another plan was taken"}
	}
	plan, err := parsePlan(text, d.folder)
	if err != nil {
		return answer{400, err.Error()}
	}
	if err := storePlan(text, plan, d.folder); err != nil {
		return answer{500, err.Error()}
	}
	d.text, d.plan = text, plan
	return answer{200, "taken"}
}
