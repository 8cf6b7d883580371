{{- /* What both processes read when they start, as JSON. Their pods are replaced when it changes. */}}
{{- define "slipway.config" -}}
{{- $trustedProxies := .Values.limits.trustedProxies }}
{{- if eq (toString $trustedProxies) "" }}
{{- $trustedProxies = ternary 1 0 (or .Values.ingress.enabled .Values.gateway.enabled) }}
{{- end }}
{{- /* Secrets are files in the API server's pods. */}}
{{- $providers := list }}
{{- range .Values.oidc.providers }}
{{- $providers = append $providers (omit . "clientSecret") }}
{{- end }}
{{- $pullSecrets := list }}
{{- range .Values.imagePullSecrets }}
{{- $pullSecrets = append $pullSecrets .name }}
{{- end }}
{{- $config := dict
  "publicUrl" (include "slipway.publicUrl" .)
  "serviceDomain" .Values.serviceDomain
  "defaultWorkspace" (dict "id" .Values.workspace.id "namespace" .Values.workspace.namespace)
  "idle" (dict
    "afterSeconds" (include "slipway.seconds" .Values.idle.after | int64)
    "maxAfterSeconds" (include "slipway.seconds" .Values.idle.maxAfter | int64)
    "maxStopsPerMinute" (int64 .Values.idle.maxStopsPerMinute))
  "warmEngines" (dict
    "enabled" .Values.warmEngines.enabled
    "min" (int64 .Values.warmEngines.min)
    "max" (int64 .Values.warmEngines.max)
    "defaultWorkspace" (int64 .Values.warmEngines.defaultWorkspace)
    "recentSeconds" (include "slipway.seconds" .Values.warmEngines.recentFor | int64))
  "expiry" (dict "maxAfterSeconds" (include "slipway.seconds" .Values.expiry.maxAfter | int64))
  "faucet" (dict
    "maxAmount" (int64 .Values.faucet.maxAmount)
    "requestsPerHour" (int64 .Values.faucet.requestsPerHour))
  "storage" .Values.storage
  "quota" (dict
    "persistentNetworks" (int64 .Values.quota.persistentNetworks)
    "participants" (int64 .Values.quota.participants)
    "validators" (int64 .Values.quota.validators)
    "snapshots" (int64 .Values.quota.snapshots)
    "snapshotMiB" (int64 .Values.quota.snapshotMiB)
    "workspaceSnapshotsMiB" (int64 .Values.quota.workspaceSnapshotsMiB)
    "workspaceStoredMiB" (int64 .Values.quota.workspaceStoredMiB)
    "workspaceCachedMiB" (int64 .Values.quota.workspaceCachedMiB)
    "cachedMiB" (int64 .Values.quota.cachedMiB)
    "storedMiB" (int64 .Values.quota.storedMiB)
    "webhooks" (int64 .Values.quota.webhooks)
    "workspaces" (int64 .Values.quota.workspaces)
    "accounts" (int64 .Values.quota.accounts)
    "accountsPerUser" (int64 .Values.quota.accountsPerUser)
    "apiKeys" (int64 .Values.quota.apiKeys))
  "bootstrapKey" (dict "expiresAt" .Values.bootstrap.expiresAt)
  "limits" (dict
    "requestsPerSecond" .Values.limits.requestsPerSecond
    "burst" (int64 .Values.limits.burst)
    "concurrent" (int64 .Values.limits.concurrent)
    "idempotencyKeysPerDay" (int64 .Values.limits.idempotencyKeysPerDay)
    "requestMemoryMiB" (int64 .Values.limits.requestMemoryMiB)
    "eventStreams" (dict
      "account" (int64 .Values.limits.eventStreams.account)
      "workspace" (int64 .Values.limits.eventStreams.workspace)
      "all" (int64 .Values.limits.eventStreams.all))
    "trustedProxies" (int64 $trustedProxies))
  "workspaces" (dict
    "podSecurity" .Values.workspace.podSecurity
    "resourceQuota" (include "slipway.workspaceQuota" . | fromYaml)
    "limitRange" (include "slipway.workspaceLimits" . | fromYamlArray)
    "networkPolicies" (fromYamlArray (include "slipway.workspacePolicies" .))
    "pullSecrets" $pullSecrets
    "bindings" (list
      (dict "role" (printf "%s-workspace.%s" (include "slipway.operator.name" .) .Release.Namespace) "serviceAccount" (include "slipway.operator.name" .))
      (dict "role" (printf "%s-home.%s" (include "slipway.operator.name" .) .Release.Namespace) "serviceAccount" (include "slipway.operator.name" .))
      (dict "role" (printf "%s-workspace.%s" (include "slipway.apiserver.name" .) .Release.Namespace) "serviceAccount" (include "slipway.apiserver.name" .))))
  "solana" .Values.solana
  "forks" (dict
    "concurrent" (int64 .Values.forks.concurrent)
    "cacheMiB" (int64 .Values.forks.cacheMiB)
    "ownSources" .Values.forks.ownSources)
  "deliveries" (dict
    "allowHttp" .Values.deliveries.allowHttp
    "allowPrivateAddresses" .Values.deliveries.allowPrivateAddresses
    "concurrent" (int64 .Values.deliveries.concurrent)
    "queueMiB" (int64 .Values.deliveries.queueMiB)
    "workspaceQueueMiB" (int64 .Values.deliveries.workspaceQueueMiB))
  "monitoring" (dict "workspaceLabels" (int64 .Values.monitoring.workspaceLabels))
  "tracing" (dict
    "endpoint" .Values.tracing.endpoint
    "sampling" .Values.tracing.sampling
    "trustCallers" .Values.tracing.trustCallers
    "hasHeaders" (ne .Values.tracing.headers.secret "")
    "ca" .Values.tracing.ca)
  "oidc" (dict "providers" $providers)
  "wallets" (dict "enabled" .Values.wallets.enabled "chainId" (int64 .Values.wallets.chainId))
  "smtp" (dict
    "host" .Values.smtp.host
    "port" (int64 .Values.smtp.port)
    "security" .Values.smtp.security
    "from" .Values.smtp.from
    "hasPassword" (ne .Values.smtp.auth.secret "")
    "ca" .Values.smtp.ca)
  "compilers" (dict
    "url" (ternary (printf "http://%s.%s.svc:8547" (include "slipway.compilers.name" .) .Release.Namespace) "" (ne .Values.compilers.image.repository ""))
    "maxContracts" (int64 .Values.compilers.maxContracts)
    "maxMiB" (int64 .Values.compilers.maxMiB))
  "rpc" (dict "holdSeconds" .Values.rpc.holdSeconds "maxBodyBytes" (int64 .Values.rpc.maxBodyBytes)) }}
{{- if include "slipway.hasForks" . }}
{{- $_ := set $config.forks "url" (printf "http://%s.%s.svc:8546" (include "slipway.forks.name" .) .Release.Namespace) }}
{{- /* The content of one's own Secret is known to the fork proxy alone. */}}
{{- if not .Values.forkSourcesExistingSecret }}
{{- $_ := set $config.forks "types" (keys .Values.forkSources | sortAlpha) }}
{{- end }}
{{- end }}
{{- toJson $config }}
{{- end }}

{{- define "slipway.configChecksum" -}}
{{- print (include "slipway.config" .) (ternary "" (toJson .Values.forkSources) (ne .Values.forkSourcesExistingSecret "")) | sha256sum }}
{{- end }}
