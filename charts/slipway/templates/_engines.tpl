{{- /*
What this chart wants of each engine, as JSON by its name. One without a repository has no image here, and keeps its resources
and allowed images for one that others provide.
*/}}
{{- define "slipway.engines" -}}
{{- $engines := dict }}
{{- range $name, $engine := .Values.engines }}
{{- if $engine }}
{{- if eq $name "service" }}
{{- $engine = merge (dict) $engine $.Values.image }}
{{- end }}
{{- $allowed := list }}
{{- range $engine.allowedImages }}
{{- $allowed = append $allowed (include "slipway.mirrored" (list $ .)) }}
{{- end }}
{{- $entry := dict
  "pullPolicy" ($engine.pullPolicy | default "IfNotPresent")
  "resources" ($engine.resources | default dict)
  "allowedImages" $allowed }}
{{- if $engine.repository }}
{{- $_ := set $entry "image" (include "slipway.image" (list $ $engine)) }}
{{- end }}
{{- $_ := set $engines $name $entry }}
{{- end }}
{{- end }}
{{- toJson $engines }}
{{- end }}
