{{/* What the objects are made of: names, labels, settings and the pod that all roles share. */}}

{{- define "atelier.name" -}}
{{- contains "atelier" .Release.Name | ternary .Release.Name (printf "%s-atelier" .Release.Name) | trunc 50 | trimSuffix "-" -}}
{{- end }}

{{- define "atelier.tag" -}}
{{- .Values.image.tag | default .Chart.AppVersion -}}
{{- end }}

{{/* Each role: its entry, whether it holds data or calls core, and the files of the Secret that it gets. */}}
{{- define "atelier.roles" -}}
core: { entry: core/entry/main.ts, kind: data, files: [mongodb-uri, atelier-secret, trusted-keys.json, credentials.pem] }
worker: { entry: core/entry/worker.ts, kind: data, files: [mongodb-uri, atelier-secret, trusted-keys.json, credentials.pem, credentials-key.pem] }
migrate: { entry: core/entry/upgrade.ts, kind: data, files: [mongodb-uri, atelier-secret, trusted-keys.json] }
backup: { entry: core/entry/backup.ts, kind: data, files: [mongodb-uri, atelier-secret, trusted-keys.json] }
gateway: { entry: gateway/main.ts, kind: faces, files: [atelier-secret, gateway-key.pem] }
mcp: { entry: mcp/main.ts, kind: faces, files: [atelier-secret, mcp-key.pem] }
cli: { kind: faces, files: [atelier-secret, cli-key.pem] }
{{- end }}

{{/* Of { root, role }. */}}
{{- define "atelier.selector" -}}
app.kubernetes.io/name: atelier
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .role }}
{{- end }}

{{- define "atelier.labels" -}}
{{ include "atelier.selector" . }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" }}
{{- end }}

{{/* Of the pods; the name of this release's cores goes by the version. */}}
{{- define "atelier.podLabels" -}}
{{ include "atelier.selector" . }}
app.kubernetes.io/version: {{ include "atelier.tag" .root | trunc 63 | quote }}
{{- with .root.Values.podLabels }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* What the values set for the group of a role, as config and secretConfig. The gateway sends mails too, by the mail server of data. */}}
{{- define "atelier.own" -}}
{{- $data := .root.Values.data }}
{{- $own := get .root.Values (get (include "atelier.roles" .root | fromYaml) .role).kind }}
{{- if eq .role "gateway" }}
{{- $mail := "ATELIER_SMTP_URL" }}
{{- $own = merge (deepCopy $own) (dict "config" (pick $data.config $mail) "secretConfig" (pick $data.secretConfig $mail)) }}
{{- end }}
{{- toYaml $own }}
{{- end }}

{{/* Settings of a role, as a map of variables. */}}
{{- define "atelier.settings" -}}
{{- $root := .root }}
{{- $fact := get (include "atelier.roles" $root | fromYaml) .role }}
{{- $mount := "/run/secrets/atelier" }}
{{- $settings := dict "NODE_ENV" "production" "ATELIER_HOST" "0.0.0.0" "ATELIER_OPS_HOST" "0.0.0.0" }}
{{- $_ := set $settings "ATELIER_GRPC_HOST" (eq .role "core" | ternary "0.0.0.0" "127.0.0.1") }}
{{- $_ := set $settings "ATELIER_SECRET_FILE" (printf "%s/atelier-secret" $mount) }}
{{- if eq $fact.kind "data" }}
{{- $_ := set $settings "MONGODB_URI_FILE" (printf "%s/mongodb-uri" $mount) }}
{{- $_ := set $settings "ATELIER_SERVICE_TRUSTED_KEYS_FILE" (printf "%s/trusted-keys.json" $mount) }}
{{- else }}
{{- $_ := set $settings "ATELIER_CORE_ADDRESS" (printf "dns:///%s-core:50051" (include "atelier.name" $root)) }}
{{- $_ := set $settings "ATELIER_CORE_TLS_CA" "/run/secrets/grpc/ca.pem" }}
{{- $_ := set $settings "ATELIER_CORE_TLS_NAME" $root.Values.grpcTls.name }}
{{- $_ := set $settings "ATELIER_SERVICE_KEY_FILE" (printf "%s/%s-key.pem" $mount .role) }}
{{- end }}
{{- if has .role (list "core" "worker") }}
{{- $_ := set $settings "ATELIER_CONTENT_CREDENTIALS_CERT_FILE" (printf "%s/credentials.pem" $mount) }}
{{- end }}
{{- if eq .role "worker" }}
{{- $_ := set $settings "ATELIER_CONTENT_CREDENTIALS_KEY_FILE" (printf "%s/credentials-key.pem" $mount) }}
{{- end }}
{{- if eq .role "core" }}
{{- $_ := set $settings "ATELIER_GRPC_TLS_CERT" "/run/secrets/grpc/cert.pem" }}
{{- $_ := set $settings "ATELIER_GRPC_TLS_KEY" "/run/secrets/grpc/key.pem" }}
{{- end }}
{{- $own := include "atelier.own" . | fromYaml }}
{{- range $variable, $key := $own.secretConfig }}
{{- $_ := set $settings (printf "%s_FILE" $variable) (printf "%s/%s" $mount $key) }}
{{- end }}
{{- mergeOverwrite $settings $root.Values.config $own.config | toYaml }}
{{- end }}

{{/* A pod of { root, role }. */}}
{{- define "atelier.pod" -}}
{{- $root := .root }}
{{- $role := .role }}
{{- $name := include "atelier.name" $root }}
{{- $fact := get (include "atelier.roles" $root | fromYaml) $role }}
{{- $settings := include "atelier.settings" . | fromYaml }}
{{- $image := printf "%s:%s" $root.Values.image.repository (include "atelier.tag" $root) }}
{{- $speaksGrpc := or (eq $role "core") (eq $fact.kind "faces") }}
{{- $serves := has $role (list "core" "worker" "gateway" "mcp") }}
serviceAccountName: {{ $name }}-{{ $role }}
automountServiceAccountToken: false
# The variables that Kubernetes makes of Services begin with ATELIER_ too.
enableServiceLinks: false
# ATELIER_LEAVE_MS, ATELIER_DRAIN_MS, the 30 s that a stop may take besides, and a margin.
terminationGracePeriodSeconds: {{ $serves | ternary (div (add (int (default 10000 $settings.ATELIER_LEAVE_MS)) (int (default 10000 $settings.ATELIER_DRAIN_MS)) 40000) 1000) 5 }}
securityContext:
  runAsNonRoot: true
  runAsUser: 65532
  runAsGroup: 65532
  fsGroup: 65532
  seccompProfile: { type: RuntimeDefault }
{{- with $root.Values.image.pullSecrets }}
imagePullSecrets: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with $root.Values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with $root.Values.nodeSelector }}
nodeSelector: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with $root.Values.tolerations }}
tolerations: {{ toYaml . | nindent 2 }}
{{- end }}
{{- if $serves }}
topologySpreadConstraints:
  {{- range list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
  - maxSkew: 1
    topologyKey: {{ . }}
    whenUnsatisfiable: ScheduleAnyway
    matchLabelKeys: [pod-template-hash]
    labelSelector:
      matchLabels: {{ include "atelier.selector" (dict "root" $root "role" $role) | nindent 8 }}
  {{- end }}
{{- end }}
{{- if has $role (list "worker" "gateway" "mcp") }}
initContainers:
  - name: cores-first
    image: {{ $image | quote }}
    imagePullPolicy: {{ $root.Values.image.pullPolicy }}
    args:
      - --input-type=module
      - --eval
      - {{ $root.Files.Get "cores-first.mjs" | quote }}
      - {{ $name }}-core
      - {{ $name }}-core-of-release
    securityContext:
      allowPrivilegeEscalation: false
      readOnlyRootFilesystem: true
      capabilities: { drop: [ALL] }
    resources: { requests: { cpu: 10m, memory: 64Mi }, limits: { memory: 128Mi } }
{{- end }}
containers:
  - name: {{ $role }}
    image: {{ $image | quote }}
    imagePullPolicy: {{ $root.Values.image.pullPolicy }}
    {{- if $fact.entry }}
    args: [{{ $fact.entry }}{{ if eq $role "backup" }}, /backups, --keep, {{ $root.Values.backup.keep | quote }}{{ end }}]
    {{- else }}
    # Waits for commands.
    args: [--eval, 'setInterval(() => {}, 2 ** 30); process.on("SIGTERM", () => process.exit())']
    {{- end }}
    env:
      {{- range $variable, $value := $settings }}
      - { name: {{ $variable }}, value: {{ $value | toString | quote }} }
      {{- end }}
    {{- if $serves }}
    ports:
      - { name: ops, containerPort: 9464 }
      {{- if eq $role "core" }}
      - { name: grpc, containerPort: 50051 }
      {{- else if eq $fact.kind "faces" }}
      - { name: http, containerPort: 8080 }
      {{- end }}
    # A core builds its catalog first; missing indexes are made at a start too.
    startupProbe: { httpGet: { path: /healthz, port: ops }, periodSeconds: 5, timeoutSeconds: 3, failureThreshold: 120 }
    livenessProbe: { httpGet: { path: /healthz, port: ops }, periodSeconds: 10, timeoutSeconds: 3, failureThreshold: 6 }
    # Gateways and tool endpoints stay in while core or the database is away: an election would leave nobody to answer.
    readinessProbe: { httpGet: { path: {{ eq $fact.kind "faces" | ternary "/readyz?exclude=core" "/readyz" | quote }}, port: ops }, periodSeconds: 3, timeoutSeconds: 3, failureThreshold: 2 }
    {{- end }}
    resources: {{ toYaml ($serves | ternary (get $root.Values.roles $role) (dict "resources" (dict "requests" (dict "cpu" "50m" "memory" "128Mi") "limits" (dict "memory" "1Gi")))).resources | nindent 6 }}
    securityContext:
      allowPrivilegeEscalation: false
      readOnlyRootFilesystem: true
      capabilities: { drop: [ALL] }
    volumeMounts:
      - { name: tmp, mountPath: /tmp }
      - { name: secrets, mountPath: /run/secrets/atelier, readOnly: true }
      {{- if eq $role "backup" }}
      - { name: backups, mountPath: /backups }
      {{- end }}
      {{- if $speaksGrpc }}
      - { name: grpc, mountPath: /run/secrets/grpc, readOnly: true }
      {{- end }}
volumes:
  - name: tmp
    emptyDir: { sizeLimit: 1Gi }
  {{- if eq $role "backup" }}
  - name: backups
    persistentVolumeClaim: { claimName: {{ $root.Values.backup.claim }} }
  {{- end }}
  - name: secrets
    secret:
      secretName: {{ $root.Values.existingSecret }}
      defaultMode: 0440
      items:
        {{- range concat $fact.files (values (include "atelier.own" $ | fromYaml).secretConfig) | uniq | sortAlpha }}
        - { key: {{ . }}, path: {{ . }} }
        {{- end }}
  {{- if $speaksGrpc }}
  - name: grpc
    secret:
      secretName: {{ $root.Values.grpcTls.existingSecret | default $root.Values.existingSecret }}
      defaultMode: 0440
      items:
        {{- $keys := $root.Values.grpcTls.keys }}
        {{- if eq $role "core" }}
        - { key: {{ $keys.cert }}, path: cert.pem }
        - { key: {{ $keys.key }}, path: key.pem }
        {{- else }}
        - { key: {{ $keys.ca }}, path: ca.pem }
        {{- end }}
  {{- end }}
{{- end }}
