#!/bin/sh
# Makes what a production set-up needs of secrets and certificates, once, into a folder that only you can read (default deploy/secrets):
#   [MONGO_HOSTS=127.0.0.1] deploy/secrets.sh [FOLDER]        MONGO_HOSTS: members of the replica set, default those of compose.yaml
# What is there already stays, so it can be run again after a release that needs another one. Needs openssl.
set -eu
umask 077
folder=${1:-$(dirname "$0")/secrets}
mkdir -p "$folder"
cd "$folder"

random() { [ -s "$1" ] || openssl rand -base64 "$2" | tr -d '\n' >"$1"; }

random atelier-secret 48
random mongo-password 24 && sed -i 's/[+/=]//g' mongo-password
[ -s mongo-key ] || openssl rand -base64 756 >mongo-key
[ -s mongodb-uri ] || printf 'mongodb://atelier:%s@%s/?replicaSet=atelier&authSource=admin' "$(cat mongo-password)" "${MONGO_HOSTS:-mongo1,mongo2,mongo3}" >mongodb-uri
random s3-key 16 && sed -i 's/[+/=]//g' s3-key
random s3-secret 32 && sed -i 's/[+/=]//g' s3-secret
random grafana-password 18

# A key for each service that calls core, and the set of their public halves for core. Public keys of other services stay in the set.
keys=''
for service in gateway mcp cli; do
  [ -s "$service-key.pem" ] || openssl genpkey -algorithm ed25519 -out "$service-key.pem"
  # The last 32 bytes of the public key's DER form are the point itself.
  x=$(openssl pkey -in "$service-key.pem" -pubout -outform DER | tail -c 32 | openssl base64 -A | tr '+/' '-_' | tr -d '=')
  keys="$keys${keys:+,}{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"x\":\"$x\",\"name\":\"$service\"}"
done
others=$([ ! -s trusted-keys.json ] || tr '\r\n\t' '   ' <trusted-keys.json | grep -o '{[^{}]*"name"[^{}]*}' |
  grep -vE '"name" *: *"(gateway|mcp|cli)"' | sed 's/^/,/')
printf '{"keys":[%s%s]}' "$keys" "$others" >trusted-keys.json

# An authority of this installation alone, and core's certificate of it: gRPC travels over TLS. Where core.pem is gone, that authority signs another.
if [ ! -s core.pem ]; then
  [ -s ca.pem ] || openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 3650 -subj '/CN=Atelier internal' \
    -keyout ca-key.pem -out ca.pem 2>/dev/null
  openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj '/CN=core' -keyout core-key.pem -out core.csr 2>/dev/null
  printf 'subjectAltName=DNS:core,DNS:localhost,IP:127.0.0.1' >core.ext
  openssl x509 -req -in core.csr -CA ca.pem -CAkey ca-key.pem -CAcreateserial -days 825 -extfile core.ext -out core.pem 2>/dev/null
  rm -f core.csr core.ext ca.srl
fi
# Content Credentials: what workers sign files with. An authority of this installation alone, which other readers do not know: replace both
# files with a certificate of an authority on the C2PA trust list, its chain and its key (docs/operations/content-credentials.md).
if [ ! -s credentials.pem ]; then
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 3650 -subj '/O=Atelier/CN=Atelier content credentials' \
    -addext 'keyUsage=critical,keyCertSign' -keyout credentials-ca-key.pem -out credentials-ca.pem 2>/dev/null
  openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:prime256v1 -out credentials-key.pem
  openssl req -new -key credentials-key.pem -subj '/O=Atelier/CN=Atelier signer' -out credentials.csr
  printf 'basicConstraints=critical,CA:FALSE\nkeyUsage=critical,digitalSignature\nextendedKeyUsage=emailProtection,1.3.6.1.4.1.62558.2.1\nsubjectKeyIdentifier=hash\nauthorityKeyIdentifier=keyid' >credentials.ext
  openssl x509 -req -in credentials.csr -CA credentials-ca.pem -CAkey credentials-ca-key.pem -CAcreateserial -days 825 -extfile credentials.ext -out credentials.pem 2>/dev/null
  cat credentials-ca.pem >>credentials.pem
  # It issues this one certificate, and nothing after it.
  rm -f credentials.csr credentials.ext credentials-ca.srl credentials-ca.pem credentials-ca-key.pem
fi
# Containers read them as users of their own; what keeps them from others on this machine is the folder.
chmod 0644 ./*
echo "secrets are in $PWD"
