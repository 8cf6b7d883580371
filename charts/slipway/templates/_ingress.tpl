{{- /*
What each ingress controller needs for streams and WebSockets that last, for bodies of which the service itself says which are
too large, and for a replica that is gone. The path of an RPC URL contains its access key, so paths are not logged where
an annotation can say so.
*/}}
{{- define "slipway.ingress.controllers" -}}
ingress-nginx:
  nginx.ingress.kubernetes.io/enable-access-log: "false"
  nginx.ingress.kubernetes.io/proxy-body-size: 32m
  nginx.ingress.kubernetes.io/proxy-buffering: "off"
  nginx.ingress.kubernetes.io/proxy-connect-timeout: "2"
  nginx.ingress.kubernetes.io/proxy-next-upstream: error timeout
  nginx.ingress.kubernetes.io/proxy-read-timeout: "3600"
  nginx.ingress.kubernetes.io/proxy-send-timeout: "3600"
nginx:
  nginx.org/client-max-body-size: 32m
  nginx.org/proxy-buffering: "False"
  nginx.org/proxy-connect-timeout: 2s
  nginx.org/proxy-read-timeout: 1h
  nginx.org/proxy-send-timeout: 1h
  nginx.org/websocket-services: {{ include "slipway.fullname" . }}
haproxy:
  haproxy.org/timeout-server: 1h
haproxy-ingress:
  haproxy-ingress.github.io/proxy-body-size: unlimited
  haproxy-ingress.github.io/timeout-connect: 2s
  haproxy-ingress.github.io/timeout-server: 1h
  haproxy-ingress.github.io/timeout-tunnel: 1h
contour:
  projectcontour.io/response-timeout: infinity
  projectcontour.io/websocket-routes: /
# Both have no limits on bodies and answers but those of their own command lines.
skipper: {}
traefik: {}
none: {}
{{- end }}

{{- /* The annotations of the Ingress: those of one controller, or of all, since each ignores those of the others. */}}
{{- define "slipway.ingress.annotations" -}}
{{- $controllers := include "slipway.ingress.controllers" . | fromYaml }}
{{- $annotations := dict }}
{{- range $name, $own := $controllers }}
{{- if or (not $.Values.ingress.controller) (eq $name $.Values.ingress.controller) }}
{{- $annotations = merge $annotations $own }}
{{- end }}
{{- end }}
{{- with .Values.ingress.certManager.clusterIssuer }}
{{- $_ := set $annotations "cert-manager.io/cluster-issuer" . }}
{{- end }}
{{- with .Values.ingress.certManager.issuer }}
{{- $_ := set $annotations "cert-manager.io/issuer" . }}
{{- end }}
{{- toYaml (merge (deepCopy .Values.ingress.annotations) $annotations) }}
{{- end }}

{{- /* The Secret with the certificate of the host: the given one, or the one that cert-manager fills. Empty: no TLS. */}}
{{- define "slipway.ingress.tlsSecret" -}}
{{- $manager := .Values.ingress.certManager }}
{{- if and $manager.clusterIssuer $manager.issuer }}
{{- fail "ingress.certManager: set clusterIssuer or issuer, not both" }}
{{- end }}
{{- if .Values.ingress.tlsSecret -}}
{{ .Values.ingress.tlsSecret }}
{{- else if or $manager.clusterIssuer $manager.issuer -}}
{{- if not .Values.ingress.host }}{{ fail "ingress.certManager needs ingress.host: a certificate is for a host" }}{{ end -}}
{{ include "slipway.fullname" . }}-tls
{{- end }}
{{- end }}

{{- /* The host of publicUrl without its port, where it is a name; empty for an address. */}}
{{- define "slipway.publicHost" -}}
{{- $host := (urlParse (include "slipway.publicUrl" .)).host | regexFind "^[^:\\[]+" }}
{{- if not (regexMatch "^[0-9.]*$" $host) }}{{ $host }}{{ end }}
{{- end }}
