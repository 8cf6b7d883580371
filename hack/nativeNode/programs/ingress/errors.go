package main

import (
	"crypto/rand"
	"encoding/json"
	"net/http"
	"strconv"
)

// errorBody has the members of ErrorBody in core/api/common.ts.
type errorBody struct {
	Kind      string `json:"kind"`
	Reason    string `json:"reason"`
	Message   string `json:"message"`
	RequestID string `json:"requestId"`
}

const maxRequestID = 128

// answerFailure answers a request that could not be forwarded.
func answerFailure(writer http.ResponseWriter, request *http.Request, err error) {
	if isDialError(err) {
		answerError(writer, request, http.StatusBadGateway)
		return
	}
	answerError(writer, request, http.StatusGatewayTimeout)
}

// answerError answers with the Error object of the API. Every failure of a replica is 503: its caller may try again.
func answerError(writer http.ResponseWriter, request *http.Request, status int) {
	body := errorBody{Kind: "Error", RequestID: requestID(request)}
	body.Reason, body.Message = explain(status)
	header := writer.Header()
	if status >= http.StatusInternalServerError {
		status = http.StatusServiceUnavailable
	}
	if status != http.StatusNotFound {
		header.Set("Retry-After", "1")
	}
	text, _ := json.Marshal(body)
	header.Set("Content-Type", "application/json; charset=utf-8")
	header.Set("Content-Length", strconv.Itoa(len(text)))
	header.Set("X-Request-ID", body.RequestID)
	// Wallets in browsers call from any origin, and may read this like any other error.
	header.Set("Access-Control-Allow-Origin", "*")
	writer.WriteHeader(status)
	writer.Write(text)
}

func explain(status int) (reason string, message string) {
	switch status {
	case http.StatusNotFound:
		return "NotFound", "nothing is served at this address"
	case http.StatusTooManyRequests:
		return "TooManyRequests", "4,096 requests of this caller wait for their turn: wait for their answers"
	case http.StatusBadGateway:
		return "Unavailable", "no replica of the service accepts connections at the moment; retry"
	default:
		return "Unavailable", "the connection to the service broke before its answer: the request may have been processed; repeat it with the same Idempotency-Key"
	}
}

// requestID is the caller's own if the API would accept it.
func requestID(request *http.Request) string {
	given := request.Header.Get("X-Request-ID")
	if given == "" || len(given) > maxRequestID {
		return rand.Text()
	}
	for _, letter := range given {
		if !isPlain(letter) {
			return rand.Text()
		}
	}
	return given
}

func isPlain(letter rune) bool {
	switch {
	case letter >= 'a' && letter <= 'z', letter >= 'A' && letter <= 'Z', letter >= '0' && letter <= '9':
		return true
	}
	return letter == '.' || letter == '_' || letter == ':' || letter == '-'
}
