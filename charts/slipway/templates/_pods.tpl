{{- define "slipway.podSecurity" -}}
runAsNonRoot: true
runAsUser: 65532
runAsGroup: 65532
fsGroup: 65532
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "slipway.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{- define "slipway.probes" -}}
startupProbe:
  httpGet: { path: /healthz, port: metrics }
  periodSeconds: 1
  failureThreshold: 60
livenessProbe:
  httpGet: { path: /healthz, port: metrics }
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 3
readinessProbe:
  httpGet: { path: /readyz, port: metrics }
  periodSeconds: 2
  timeoutSeconds: 2
  failureThreshold: 2
{{- end }}

{{- /* Environment variables of the API server and the operator. */}}
{{- define "slipway.env" -}}
- { name: METRICS_PORT, value: "9090" }
- { name: LOG_LEVEL, value: {{ .Values.logLevel | quote }} }
- name: POD_NAME
  valueFrom: { fieldRef: { fieldPath: metadata.name } }
- name: POD_NAMESPACE
  valueFrom: { fieldRef: { fieldPath: metadata.namespace } }
- { name: CONFIG_DIR, value: /etc/slipway/config }
- { name: KEYS_DIR, value: /etc/slipway/keys }
# glibc otherwise keeps an arena of free memory for each thread, and the memory of large buffers.
- { name: MALLOC_ARENA_MAX, value: "2" }
- { name: MALLOC_MMAP_THRESHOLD_, value: "131072" }
{{- end }}

{{- /* Scheduling of one component's pods. Takes (list $ "apiserver"). */}}
{{- define "slipway.scheduling" -}}
{{- $top := index . 0 -}}
{{- $values := index $top.Values (index . 1) -}}
{{- with $top.Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with $values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
affinity:
{{- if $values.affinity }}
  {{- toYaml $values.affinity | nindent 2 }}
{{- else }}
  podAntiAffinity:
    preferredDuringSchedulingIgnoredDuringExecution:
      - weight: 100
        podAffinityTerm:
          topologyKey: kubernetes.io/hostname
          labelSelector:
            matchLabels: {{- include "slipway.selector" . | nindent 14 }}
          matchLabelKeys: [pod-template-hash]
{{- end }}
topologySpreadConstraints:
{{- if $values.topologySpreadConstraints }}
  {{- toYaml $values.topologySpreadConstraints | nindent 2 }}
{{- else }}
{{- range $key := list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
  - maxSkew: 1
    topologyKey: {{ $key }}
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels: {{- include "slipway.selector" $ | nindent 8 }}
    matchLabelKeys: [pod-template-hash]
{{- end }}
{{- end }}
{{- end }}

{{- /* Pods of Jobs and tests run where the operator may run. */}}
{{- define "slipway.placeOfJobs" -}}
{{- with .Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.operator.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with .Values.operator.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.operator.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- /* Which pods are near matters to replicas alone: a Job beside none of them, or with no node left, would wait. */}}
{{- with (.Values.operator.affinity | default dict).nodeAffinity }}
affinity:
  nodeAffinity: {{- toYaml . | nindent 4 }}
{{- end }}
{{- end }}

{{- /*
The NetworkPolicy of the pods of a Job, which call kube-apiserver alone: a namespace may deny what no policy allows. Takes
(list $ "keys" $annotations).
*/}}
{{- define "slipway.policyOfJob" -}}
{{- $top := index . 0 -}}
{{- $component := index . 1 -}}
{{- if $top.Values.networkPolicy.enabled }}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: {{ include "slipway.fullname" $top }}-{{ $component }}
  namespace: {{ $top.Release.Namespace }}
  labels: {{- include "slipway.labels" $top | nindent 4 }}
  {{- with index . 2 }}
  annotations: {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  podSelector:
    matchLabels: {{- include "slipway.selector" (list $top $component) | nindent 6 }}
  policyTypes: [Ingress, Egress]
  egress:
    # To kube-apiserver, whose address a selector cannot match.
    - ports: [{ port: 443, protocol: TCP }, { port: 6443, protocol: TCP }]
{{- end }}
{{- end }}

{{- /* Sources of a projected volume. They are optional: without a Secret nobody signs in that way, and all else runs. */}}
{{- define "slipway.signInSecrets" -}}
{{- range .Values.oidc.providers }}
{{- $provider := .name }}
{{- with .clientSecret }}
- secret:
    name: {{ .secret }}
    optional: true
    items: [{ key: {{ .key }}, path: oidc.{{ $provider }}.client-secret }]
{{- end }}
{{- end }}
{{- with .Values.smtp.auth }}
{{- if .secret }}
- secret:
    name: {{ .secret }}
    optional: true
    items: [{ key: {{ .userKey }}, path: smtp.user }, { key: {{ .passwordKey }}, path: smtp.password }]
{{- end }}
{{- end }}
{{- end }}

{{- /* The headers for the collector of traces. The Secret is optional: without it traces are sent without headers. */}}
{{- define "slipway.tracingMount" -}}
{{- if and .Values.tracing.endpoint .Values.tracing.headers.secret -}}
- { name: tracing, mountPath: /etc/slipway/tracing, readOnly: true }
{{- end }}
{{- end }}
{{- define "slipway.tracingVolume" -}}
{{- if and .Values.tracing.endpoint .Values.tracing.headers.secret -}}
- name: tracing
  secret:
    secretName: {{ .Values.tracing.headers.secret }}
    optional: true
    defaultMode: 0440
    items: [{ key: {{ .Values.tracing.headers.key }}, path: headers }]
{{- end }}
{{- end }}
