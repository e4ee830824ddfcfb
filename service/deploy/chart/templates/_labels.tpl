{{- /* The templates use only functions of Go's own template language, so that the tests can render them without Helm. */ -}}
{{- define "board-access.selector" -}}
{ app.kubernetes.io/name: board-access, app.kubernetes.io/instance: {{ printf "%q" .Release.Name }} }
{{- end -}}
{{- define "board-access.labels" -}}
{ app.kubernetes.io/name: board-access, app.kubernetes.io/instance: {{ printf "%q" .Release.Name }}, app.kubernetes.io/version: {{ printf "%q" .Chart.AppVersion }}, app.kubernetes.io/managed-by: {{ printf "%q" .Release.Service }} }
{{- end -}}
