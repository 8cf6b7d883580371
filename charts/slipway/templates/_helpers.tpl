{{- define "slipway.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 40 | trimSuffix "-" }}
{{- end }}

{{- define "slipway.fullname" -}}
{{- if .Values.fullnameOverride }}
{{- .Values.fullnameOverride | trunc 40 | trimSuffix "-" }}
{{- else if contains (include "slipway.name" .) .Release.Name }}
{{- .Release.Name | trunc 40 | trimSuffix "-" }}
{{- else }}
{{- printf "%s-%s" .Release.Name (include "slipway.name" .) | trunc 40 | trimSuffix "-" }}
{{- end }}
{{- end }}

{{- define "slipway.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
app.kubernetes.io/name: {{ include "slipway.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/part-of: slipway
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- /* Labels that select one component's pods. Takes (list $ "apiserver"). */}}
{{- define "slipway.selector" -}}
{{- $top := index . 0 -}}
app.kubernetes.io/name: {{ include "slipway.name" $top }}
app.kubernetes.io/instance: {{ $top.Release.Name }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end }}

{{- define "slipway.apiserver.name" -}}{{ include "slipway.fullname" . }}-apiserver{{- end }}
{{- define "slipway.operator.name" -}}{{ include "slipway.fullname" . }}-operator{{- end }}
{{- define "slipway.forks.name" -}}{{ include "slipway.fullname" . }}-forks{{- end }}
{{- /* Not empty when something can be forked, so that the fork proxy runs. */}}
{{- define "slipway.hasForks" -}}
{{ if or .Values.forkSources .Values.forkSourcesExistingSecret .Values.forks.ownSources.allowedHosts }}true{{ end }}
{{- end }}
{{- define "slipway.compilers.name" -}}{{ include "slipway.fullname" . }}-compilers{{- end }}
{{- define "slipway.webhook.name" -}}{{ include "slipway.fullname" . }}-webhook{{- end }}

{{- /* The name of an image in the mirror, if there is one. Takes (list $ $name). A first part with a dot or a port is a registry. */}}
{{- define "slipway.mirrored" -}}
{{- $mirror := (index . 0).Values.imageRegistry -}}
{{- $name := index . 1 -}}
{{- if or (not $mirror) (hasPrefix (printf "%s/" $mirror) $name) -}}
{{ $name }}
{{- else -}}
{{ $mirror }}/{{ regexReplaceAll "^([^/]*[.:][^/]*|localhost)/" $name "" }}
{{- end }}
{{- end }}

{{- /* An image reference. Takes (list $ $imageValues). */}}
{{- define "slipway.image" -}}
{{- $top := index . 0 -}}
{{- $image := index . 1 -}}
{{- $repository := include "slipway.mirrored" (list $top $image.repository) -}}
{{- if $image.digest -}}
{{ $repository }}@{{ $image.digest }}
{{- else -}}
{{ $repository }}:{{ $image.tag | default $top.Chart.AppVersion }}
{{- end }}
{{- end }}

{{- define "slipway.publicUrl" -}}
{{- if .Values.publicUrl -}}
{{ .Values.publicUrl | trimSuffix "/" }}
{{- else if and .Values.ingress.enabled .Values.ingress.host -}}
{{ ternary "https" "http" (ne (include "slipway.ingress.tlsSecret" .) "") }}://{{ .Values.ingress.host }}
{{- else if .Values.gateway.enabled -}}
{{- fail "gateway.enabled needs publicUrl: only the Gateway knows under which names it is reached, and whether it has TLS" }}
{{- else -}}
http://{{ include "slipway.fullname" . }}.{{ .Release.Namespace }}.svc
{{- if ne (int .Values.service.port) 80 }}:{{ .Values.service.port }}{{ end }}
{{- end }}
{{- end }}

{{- define "slipway.keysSecret" -}}
{{- .Values.keys.existingSecret | default (printf "%s-keys" (include "slipway.fullname" .)) }}
{{- end }}

{{- define "slipway.bootstrapSecret" -}}
{{- .Values.bootstrap.existingSecret | default (printf "%s-bootstrap" (include "slipway.fullname" .)) }}
{{- end }}

{{- /*
The annotations of generated Secrets. Upgrades and uninstalls by Helm and Argo CD leave them alone although they are in no
manifest; a chart of version 0.2 finds the owner that it expects; and admissionpolicies.yaml knows them by the last one.
*/}}
{{- define "slipway.keysAnnotations" -}}
helm.sh/resource-policy: keep
meta.helm.sh/release-name: {{ .Release.Name }}
meta.helm.sh/release-namespace: {{ .Release.Namespace }}
argocd.argoproj.io/compare-options: IgnoreExtraneous
argocd.argoproj.io/sync-options: Prune=false,Delete=false
slipway.dev/outside-release: "true"
{{- end }}

{{- define "slipway.tlsSecret" -}}
{{- .Values.webhook.existingSecret | default (printf "%s-webhook-tls" (include "slipway.fullname" .)) }}
{{- end }}

{{- define "slipway.forkSourcesSecret" -}}
{{- .Values.forkSourcesExistingSecret | default (printf "%s-fork-sources" (include "slipway.fullname" .)) }}
{{- end }}

{{- /* The annotation that keeps an object on `helm uninstall`. */}}
{{- define "slipway.keep" -}}
{{- if .Values.crds.keep -}}
annotations:
  helm.sh/resource-policy: keep
{{- end }}
{{- end }}

{{- /* Converts a duration such as 90s, 30m, 24h or 7d to seconds; values.schema.json validates the format. */}}
{{- define "slipway.seconds" -}}
{{- $units := dict "s" 1 "m" 60 "h" 3600 "d" 86400 -}}
{{- mul (regexFind "^[0-9]+" .) (get $units (regexFind "[smhd]$" .)) -}}
{{- end }}

{{- /* The content of the ResourceQuota of a workspace's namespace; empty if there is none. Counts are strings. */}}
{{- define "slipway.workspaceQuota" -}}
{{- if .Values.quota.namespace.enabled }}
{{- range $name, $value := .Values.quota.namespace.hard }}
{{- if not (kindIs "invalid" $value) }}
{{ $name }}: {{ ternary $value (int64 $value) (kindIs "string" $value) | toString | quote }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}

{{- /* The content of the LimitRange of a workspace's namespace, as a list; empty if there is none. */}}
{{- define "slipway.workspaceLimits" -}}
{{- if and .Values.quota.namespace.enabled .Values.quota.namespace.limitRange }}
{{- toYaml .Values.quota.namespace.limitRange }}
{{- else }}[]
{{- end }}
{{- end }}

{{- /* The NetworkPolicies that isolate the engines of a workspace, as a list of names and specs. */}}
{{- define "slipway.workspacePolicies" -}}
{{- if .Values.networkPolicy.enabled }}
# Denies all traffic to and from pods in the workspace, except for what the next policy allows.
- name: slipway-default-deny
  spec:
    podSelector: {}
    policyTypes: [Ingress, Egress]
- name: slipway-engines
  spec:
    podSelector:
      matchExpressions: [{ key: slipway.dev/network, operator: Exists }]
    policyTypes: [Ingress, Egress]
    ingress:
      - from:
          - namespaceSelector:
              matchLabels: { kubernetes.io/metadata.name: {{ .Release.Namespace }} }
            podSelector:
              matchExpressions:
                - { key: app.kubernetes.io/component, operator: In, values: [apiserver, operator{{ if include "slipway.hasForks" . }}, forks{{ end }}] }
              matchLabels: { app.kubernetes.io/instance: {{ .Release.Name }} }
          - podSelector:
              matchExpressions: [{ key: slipway.dev/network, operator: Exists }]
    egress:
      {{- with .Values.networkPolicy.dns }}{{ toYaml . | nindent 6 }}{{ end }}
      - to:
          - podSelector:
              matchExpressions: [{ key: slipway.dev/network, operator: Exists }]
      {{- if include "slipway.hasForks" . }}
      # Forks read from public chains through the fork proxy.
      - to:
          - namespaceSelector:
              matchLabels: { kubernetes.io/metadata.name: {{ .Release.Namespace }} }
            podSelector:
              matchLabels: {{- include "slipway.selector" (list . "forks") | nindent 16 }}
        ports: [{ port: 8546, protocol: TCP }]
      {{- end }}
      {{- with .Values.networkPolicy.engineEgress }}{{ toYaml . | nindent 6 }}{{ end }}
{{- end }}
{{- end }}

{{- /* The port of the collector of traces. */}}
{{- define "slipway.tracingPort" -}}
{{- $url := urlParse .Values.tracing.endpoint -}}
{{- $port := regexFind ":[0-9]+$" $url.host | trimPrefix ":" -}}
{{- $port | default (ternary "443" "80" (eq $url.scheme "https")) -}}
{{- end }}
