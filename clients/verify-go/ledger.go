package main

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// checkLedger returns the entries that hold, by their ids: hashes, order and sums.
func checkLedger(export object, r *report) map[string]object {
	all := export.objects("ledger")
	// An export lists the newest first.
	slices.SortFunc(all, func(a, b object) int { return cmp.Compare(a.number("seq"), b.number("seq")) })
	entries := map[string]object{}
	var seq, balance, held int64
	last := strings.Repeat("0", 2*sha256.Size)
	for _, entry := range all {
		balance += entry.number("amount")
		held += entry.number("hold")
		holds := entry.number("seq") == seq+1 &&
			entry.number("balance_after") == balance && entry.number("held_after") == held &&
			entry.text("prev_hash") == last && entry.text("hash") == hashOf(entry)
		if !holds {
			r.refused("the ledger", fmt.Errorf("entry %d was changed, or one is missing before it", seq+1))
			return entries
		}
		seq, last = seq+1, entry.text("hash")
		entries[entry.text("entry_id")] = entry
	}
	r.proven("their hashes", "%d ledger entries follow each other and add up to %d credits", seq, balance)
	return entries
}

// Go escapes two characters that RFC 8785 leaves as they are. Escaped backslashes are stepped over.
var unescape = strings.NewReplacer(`\\`, `\\`, `\u2028`, "\u2028", `\u2029`, "\u2029")

// hashOf is SHA-256 of the entry as RFC 8785 writes it. Entries without a version have no grants in it.
func hashOf(entry object) string {
	hashed := maps.Clone(entry)
	delete(hashed, "hash")
	if version, has := entry["version"]; !has {
		delete(hashed, "grants")
	} else if version != json.Number("2") {
		panic(unreadable(fmt.Sprintf("entry %d has version %v, which this program cannot check: update it", entry.number("seq"), version)))
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(hashed); err != nil {
		panic(unreadable(err.Error()))
	}
	sum := sha256.Sum256([]byte(unescape.Replace(strings.TrimSuffix(text.String(), "\n"))))
	return hex.EncodeToString(sum[:])
}
