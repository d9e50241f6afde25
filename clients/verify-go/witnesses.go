package main

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"time"

	"golang.org/x/mod/sumdb/note"
)

// witness is a note.Verifier of cosignatures (c2sp.org/tlog-cosignature).
type witness struct {
	name string
	hash uint32
	key  ed25519.PublicKey
}

var (
	verifierKey = regexp.MustCompile(`^([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]{44})$`)
	latest      = uint64(time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC).Unix())
)

func parseWitness(text string) (w witness, err error) {
	found := verifierKey.FindStringSubmatch(text)
	if found == nil {
		return w, errors.New("it is not the verifier key of a witness (name+id+key, cosignature/v1)")
	}
	encoded, err := base64.StdEncoding.DecodeString(found[3])
	if err != nil || encoded[0] != 4 || len(encoded) != 1+ed25519.PublicKeySize {
		return w, errors.New("it is not the verifier key of a witness (name+id+key, cosignature/v1)")
	}
	id := sha256.Sum256(append([]byte(found[1]+"\n"), encoded...))
	hash, _ := strconv.ParseUint(found[2], 16, 32)
	w = witness{found[1], uint32(hash), encoded[1:]}
	if binary.BigEndian.Uint32(id[:]) != w.hash {
		return w, errors.New("its id is not that of its name and key")
	}
	return w, nil
}

func (w witness) Name() string    { return w.name }
func (w witness) KeyHash() uint32 { return w.hash }

func (w witness) Verify(text, signature []byte) bool {
	if len(signature) != 8+ed25519.SignatureSize {
		return false
	}
	seconds := binary.BigEndian.Uint64(signature)
	signed := fmt.Appendf(nil, "cosignature/v1\ntime %d\n%s", seconds, text)
	return 0 < seconds && seconds <= latest && ed25519.Verify(w.key, signed, signature[8:])
}

// checkWitnesses says which of the witnesses cosigned a checkpoint, and when.
func checkWitnesses(name string, c checkpoint, witnesses []witness, r *report) {
	for _, w := range witnesses {
		isOwn := func(s note.Signature) bool { return s.Name == w.name }
		signed, err := note.Open([]byte(c.note), note.VerifierList(w))
		if unsigned, is := errors.AsType[*note.UnverifiedNoteError](err); is && slices.ContainsFunc(unsigned.Note.UnverifiedSigs, isOwn) {
			r.refused(name, fmt.Errorf("the cosignature of %s is by another key than the one given", w.name))
		} else if is {
			r.open("that %s saw %s: it has no cosignature of it", w.name, name)
		} else if err != nil {
			r.refused(name, fmt.Errorf("the cosignature of %s is not valid for this checkpoint", w.name))
		} else {
			signature, _ := base64.StdEncoding.DecodeString(signed.Sigs[0].Base64)
			at := time.Unix(int64(binary.BigEndian.Uint64(signature[4:])), 0).UTC().Format(time.DateTime)
			r.proven("its cosignature", "by %s UTC %s had seen no other history of the %d entries of %s", at, w.name, c.tree.N, name)
		}
	}
}
