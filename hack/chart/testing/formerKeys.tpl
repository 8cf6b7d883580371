{{- /* How charts made the keys when they were part of the release: templates/keys.yaml of version 0.2. */}}
{{- if not .Values.keys.existingSecret }}
{{- $found := (lookup "v1" "Secret" .Release.Namespace (include "slipway.keysSecret" .)).data | default dict }}
apiVersion: v1
kind: Secret
metadata:
  name: {{ include "slipway.keysSecret" . }}
  namespace: {{ .Release.Namespace }}
  labels: {{- include "slipway.labels" . | nindent 4 }}
  {{- include "slipway.keep" . | nindent 2 }}
type: Opaque
data:
  master-keys: {{ index $found "master-keys" | default (printf "k1:%s\n" (randBytes 32) | b64enc) }}
  {{- /* gateway-key once served four purposes. Engines and chains that exist keep using it. */}}
  {{- $former := "" }}
  {{- with index $found "gateway-key" }}
  {{- $former = printf "k1:%s\n" . | b64enc }}
  gateway-key: {{ . }}
  {{- end }}
  access-keys: {{ index $found "access-keys" | default (printf "k1:%s\n" (randBytes 32) | b64enc) }}
  cursor-keys: {{ index $found "cursor-keys" | default (printf "k1:%s\n" (randBytes 32) | b64enc) }}
  engine-keys: {{ index $found "engine-keys" | default $former | default (printf "k1:%s\n" (randBytes 32) | b64enc) }}
  fork-keys: {{ index $found "fork-keys" | default (printf "k1:%s\n" (randBytes 32) | b64enc) }}
  service-account-keys: {{ index $found "service-account-keys" | default $former | default (printf "k1:%s\n" (randBytes 32) | b64enc) }}
  api-key-pepper: {{ index $found "api-key-pepper" | default (randBytes 32 | b64enc) }}
{{- end }}
{{- if not .Values.bootstrap.existingSecret }}
{{- $found := (lookup "v1" "Secret" .Release.Namespace (include "slipway.bootstrapSecret" .)).data | default dict }}
---
apiVersion: v1
kind: Secret
metadata:
  name: {{ include "slipway.bootstrapSecret" . }}
  namespace: {{ .Release.Namespace }}
  labels: {{- include "slipway.labels" . | nindent 4 }}
  {{- include "slipway.keep" . | nindent 2 }}
type: Opaque
data:
  keyId: {{ $found.keyId | default (printf "bootstrap%s" (randAlphaNum 12) | lower | b64enc) }}
  keySecret: {{ $found.keySecret | default (randAlphaNum 48 | b64enc) }}
{{- end }}
