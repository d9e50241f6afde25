package main

import (
	"crypto/ed25519"
	"encoding/base64"
	"fmt"
	"strings"
)

type publicKey struct {
	kid string
	ed25519.PublicKey
}

func readKeys(path string) (keys []publicKey) {
	for _, jwk := range readObject(path).objects("keys") {
		x, err := base64.RawURLEncoding.DecodeString(jwk.text("x"))
		if err != nil || len(x) != ed25519.PublicKeySize {
			panic(unreadable(path + ": a key is not an Ed25519 key"))
		}
		keys = append(keys, publicKey{jwk.text("kid"), x})
	}
	return keys
}

// openReceipt returns what a receipt (RFC 7515) says, if one of the keys signed it for this issuer.
func openReceipt(receipt string, keys []publicKey, issuer string) (object, error) {
	parts := strings.Split(receipt, ".")
	if len(parts) != 3 {
		return nil, fmt.Errorf("it has %d parts separated by dots; a receipt has 3", len(parts))
	}
	var raw [3][]byte
	for i, part := range parts {
		var err error
		if raw[i], err = base64.RawURLEncoding.Strict().DecodeString(part); err != nil {
			return nil, fmt.Errorf("a part of it is not base64url")
		}
	}
	head, err := parseObject(raw[0])
	if err != nil {
		return nil, fmt.Errorf("its header is not a JSON object")
	}
	if head["alg"] != "EdDSA" {
		return nil, fmt.Errorf("its algorithm is %v; receipts are signed with EdDSA", head["alg"])
	}
	if head["typ"] != "atelier-receipt+jws" {
		return nil, fmt.Errorf("its type is %v, which is no receipt", head["typ"])
	}
	if _, critical := head["crit"]; critical {
		return nil, fmt.Errorf("it has critical headers that this program does not know")
	}
	for _, key := range keys {
		if head["kid"] != key.kid {
			continue
		}
		if !ed25519.Verify(key.PublicKey, []byte(parts[0]+"."+parts[1]), raw[2]) {
			return nil, fmt.Errorf("its signature is not valid: the receipt was changed, or another key signed it")
		}
		said, err := parseObject(raw[1])
		if err == nil && issuer != "" && said["iss"] != issuer {
			err = fmt.Errorf("its issuer is %v, not %s", said["iss"], issuer)
		}
		return said, err
	}
	return nil, fmt.Errorf("its key %v is none of the %d keys given", head["kid"], len(keys))
}

// checkReceipts returns the jobs of the outputs that valid receipts name, by SHA-256.
func checkReceipts(o options, keys []publicKey, entries map[string]object, r *report) map[string]string {
	digests := map[string]string{}
	for _, path := range o.receipts {
		receipt := strings.TrimSpace(string(readFile(path)))
		if strings.HasPrefix(receipt, "{") {
			receipt = readObject(path).result().text("receipt")
		}
		said, err := openReceipt(receipt, keys, o.issuer)
		if err != nil {
			r.refused(path, err)
			continue
		}
		job, credits := said.text("job_id"), object(get[map[string]any](said, "credits"))
		r.proven("the signature of the receipt", "%s says of %s: %s, %d credits captured, %d refunded",
			said.text("iss"), job, said.text("state"), credits.number("captured"), credits.number("refunded"))
		for _, output := range said.objects("outputs") {
			digests[output.text("sha256")] = job
		}
		if entries == nil {
			continue
		}
		if err := checkCharge(said, job, credits, entries); err != nil {
			r.refused("the receipt of "+job, err)
		} else {
			r.proven("the hashes of its entries", "the ledger charged %s as its receipt says", job)
		}
	}
	return digests
}

// checkCharge compares a receipt with the entries of its job up to the last that it names. Later ones are of a later receipt.
func checkCharge(said object, job string, credits object, entries map[string]object) error {
	var last int64
	for _, named := range said.objects("entries") {
		if entry, has := entries[named.text("entry_id")]; !has || entry.text("hash") != named.text("hash") {
			return fmt.Errorf("the ledger has no such entry %d", named.number("seq"))
		}
		last = max(last, named.number("seq"))
	}
	sums := map[string]int64{}
	for _, entry := range entries {
		if entry["job_id"] == job && entry.number("seq") <= last {
			sums[entry.text("kind")] += max(entry.number("amount"), -entry.number("amount"), entry.number("hold"))
		}
	}
	for kind, verb := range map[string]string{"reserve": "reserved", "debit": "captured", "refund": "refunded"} {
		if sums[kind] != credits.number(verb) {
			return fmt.Errorf("the ledger %s %d credits, and it says %d", verb, sums[kind], credits.number(verb))
		}
	}
	return nil
}
