package main

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"io"
	"net/http"
	"regexp"
	"strconv"

	"github.com/zalando/skipper/filters"
)

const errorFilterName = "slipwayError"

type errorSpec struct{}

func (errorSpec) Name() string                                       { return errorFilterName }
func (errorSpec) CreateFilter([]interface{}) (filters.Filter, error) { return errorFilter{}, nil }

// errorFilter replaces what skipper answers by itself with the Error object of the API. Answers of a replica pass.
type errorFilter struct{}

// errorBody has the members of ErrorBody in core/api/common.ts.
type errorBody struct {
	Kind      string `json:"kind"`
	Reason    string `json:"reason"`
	Message   string `json:"message"`
	RequestID string `json:"requestId"`
}

var safeID = regexp.MustCompile(`^[A-Za-z0-9._:-]{1,128}$`)

// HandleErrorResponse makes skipper call Response after a failure, too.
func (errorFilter) HandleErrorResponse() bool { return true }

func (errorFilter) Request(filters.FilterContext) {}

func (errorFilter) Response(ctx filters.FilterContext) {
	response := ctx.Response()
	// An answer that came over a connection has the request that was sent there.
	isForwarded := response.Request != nil && response.Request != ctx.Request()
	if isForwarded || response.StatusCode < http.StatusBadRequest {
		return
	}
	var text []byte
	response.StatusCode, text = errorObject(response.Header, ctx.Request(), response.StatusCode)
	response.Body = io.NopCloser(bytes.NewReader(text))
}

// errorObject returns the status and the body to answer instead of a status of the proxy, and sets the headers.
func errorObject(header http.Header, request *http.Request, status int) (int, []byte) {
	body := errorBody{Kind: "Error", RequestID: requestID(request)}
	body.Reason, body.Message = explain(status)
	if status >= http.StatusInternalServerError {
		status = http.StatusServiceUnavailable
		header.Set("Retry-After", "1")
	}
	text, _ := json.Marshal(body)
	header.Set("Content-Type", "application/json; charset=utf-8")
	header.Set("Content-Length", strconv.Itoa(len(text)))
	header.Set("X-Request-ID", body.RequestID)
	// Wallets in browsers call from any origin, and may read this like any other error.
	header.Set("Access-Control-Allow-Origin", "*")
	return status, text
}

func explain(status int) (reason string, message string) {
	switch {
	case status == http.StatusBadGateway:
		return "Unavailable", "no replica of the service accepts connections at the moment; retry"
	case status >= http.StatusInternalServerError:
		return "Unavailable", "the connection to the service broke before its answer: the request may have been processed; repeat it with the same Idempotency-Key"
	case status == http.StatusNotFound:
		return "NotFound", "nothing is served at this address"
	default:
		return "BadRequest", "the ingress refused the request"
	}
}

func requestID(request *http.Request) string {
	if given := request.Header.Get("X-Request-ID"); safeID.MatchString(given) {
		return given
	}
	return rand.Text()
}
