//go:build tools

// Package tools pins traefik, and with it the Gateway API that it serves.
package tools

import _ "github.com/traefik/traefik/v3/cmd/traefik"
