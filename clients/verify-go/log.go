package main

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// checkpoint is what one of the keys has signed (c2sp.org/tlog-checkpoint).
type checkpoint struct {
	origin   string
	tree     tlog.Tree
	signedBy string
	note     string
}

var checkpointText = regexp.MustCompile(`^([^\n]+)\n([1-9][0-9]{0,17})\n([A-Za-z0-9+/]{43}=)\n$`)

func openCheckpoint(text string, keys []publicKey) (c checkpoint, err error) {
	c.origin, _, _ = strings.Cut(text, "\n")
	c.note = text
	verifiers, kids := []note.Verifier{}, map[uint32]string{}
	for _, key := range keys {
		encoded := append([]byte{1}, key.PublicKey...)
		id := sha256.Sum256(append([]byte(c.origin+"\n"), encoded...))
		hash := binary.BigEndian.Uint32(id[:])
		verifier, err := note.NewVerifier(fmt.Sprintf("%s+%08x+%s", c.origin, hash, base64.StdEncoding.EncodeToString(encoded)))
		if err == nil {
			verifiers, kids[hash] = append(verifiers, verifier), key.kid
		}
	}
	signed, err := note.Open([]byte(text), note.VerifierList(verifiers...))
	if _, unknown := errors.AsType[*note.UnverifiedNoteError](err); unknown {
		return c, fmt.Errorf("none of the %d keys given has signed the checkpoint of %s", len(keys), c.origin)
	}
	if _, invalid := errors.AsType[*note.InvalidSignatureError](err); invalid {
		return c, errors.New("the signature of the checkpoint is not valid: it was changed, or another key signed it")
	}
	malformed := errors.New("the checkpoint is not a signed note with an origin, a size and a root")
	if err != nil {
		return c, malformed
	}
	found := checkpointText.FindStringSubmatch(signed.Text)
	if found == nil {
		return c, malformed
	}
	if c.tree.Hash, err = tlog.ParseHash(found[3]); err != nil {
		return c, malformed
	}
	c.tree.N, _ = strconv.ParseInt(found[2], 10, 64)
	c.signedBy = kids[signed.Sigs[0].Hash]
	return c, nil
}

func proofIn(holder object, names ...string) object {
	for _, name := range names {
		if proof, has := holder.result()[name].(map[string]any); has {
			return proof
		}
	}
	return nil
}

// checkProof returns the checkpoint that covers the ledger entry of the proof.
func checkProof(proof object, keys []publicKey, entries map[string]object, r *report) *checkpoint {
	if proof == nil {
		r.open("that others see the same ledger: there is no proof of the log")
		return nil
	}
	seq, at := proof.number("seq"), proof.number("index")
	c, err := verifyProof(proof, at, keys)
	if err != nil {
		r.refused("the proof of the log", err)
		return nil
	}
	where, later, held := fmt.Sprintf("entry %d of the %d in the log %s", at, c.tree.N, c.origin), 0, entries == nil
	for _, entry := range entries {
		if number := entry.number("seq"); number > seq {
			later++
		} else if number == seq {
			held = entry.text("hash") == proof.text("hash")
		}
	}
	if held {
		r.proven("key "+c.signedBy, "ledger entry %d of %s is %s", seq, proof.text("account_id"), where)
	} else {
		r.refused("the ledger", fmt.Errorf("its entry %d is not the one that is %s", seq, where))
	}
	if later > 0 {
		r.open("that others see the %d entries after number %d: they are not in the log yet", later, seq)
	}
	return &c
}

func verifyProof(proof object, at int64, keys []publicKey) (checkpoint, error) {
	c, err := openCheckpoint(proof.text("checkpoint"), keys)
	if err != nil {
		return c, err
	}
	if origin := proof.text("origin"); c.origin != origin {
		return c, fmt.Errorf("the checkpoint is of the log %s, and the proof of %s", c.origin, origin)
	}
	return c, checkEntry(c, at, proof, "path", leafOf(proof))
}

func checkEntry(c checkpoint, at int64, proof object, path string, leaf tlog.Hash) error {
	if at < 0 || at >= c.tree.N {
		return fmt.Errorf("entry %d is outside of the %d entries of the checkpoint", at, c.tree.N)
	}
	var hashes tlog.RecordProof
	for _, step := range get[[]any](proof, path) {
		hashes = append(hashes, tlog.Hash(hash(object{path: step}, path)))
	}
	if tlog.CheckRecord(hashes, c.tree.N, c.tree.Hash, at, leaf) != nil {
		return errors.New("the proof does not lead to the root of the checkpoint: the entry is not the one in the log")
	}
	return nil
}

func leafOf(proof object) tlog.Hash {
	entry := sha256.New()
	salt, head := hash(proof, "salt"), hash(proof, "hash")
	entry.Write(salt[:])
	io.WriteString(entry, proof.text("account_id"))
	binary.Write(entry, binary.BigEndian, proof.number("seq"))
	entry.Write(head[:])
	return tlog.RecordHash(entry.Sum(nil))
}

func hash(o object, name string) [sha256.Size]byte {
	return [sha256.Size]byte(decode(o, name, sha256.Size))
}

func decode(o object, name string, size int) []byte {
	decoded, err := hex.DecodeString(o.text(name))
	if err != nil || len(decoded) != size {
		panic(unreadable(fmt.Sprintf("%q is not %d bytes in hex", name, size)))
	}
	return decoded
}

// patient gives up on a log that does not answer.
var patient = http.Client{Timeout: 30 * time.Second}

// tiles reads a log over HTTP as c2sp.org/tlog-tiles serves it.
type tiles struct{ url string }

func (t tiles) read(path string) ([]byte, error) {
	response, err := patient.Get(strings.TrimSuffix(t.url, "/") + "/" + path)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the log answers %s with %s", path, response.Status)
	}
	return io.ReadAll(io.LimitReader(response.Body, 1<<24))
}

// Height is part of tlog.TileReader: a tile has 2^8 hashes.
func (tiles) Height() int { return 8 }

// SaveTiles is part of tlog.TileReader. It gets tiles that were verified, which are not kept.
func (tiles) SaveTiles([]tlog.Tile, [][]byte) {}

// ReadTiles is part of tlog.TileReader.
func (t tiles) ReadTiles(asked []tlog.Tile) (data [][]byte, err error) {
	for _, tile := range asked {
		one, err := t.read(tilePath(tile))
		if err != nil {
			return nil, err
		}
		if len(one) != tile.W*tlog.HashSize {
			return nil, fmt.Errorf("%s has %d bytes for %d hashes", tilePath(tile), len(one), tile.W)
		}
		data = append(data, one)
	}
	return data, nil
}

// The paths of sumdb name the height of tiles, and those of tlog-tiles do not.
func tilePath(tile tlog.Tile) string {
	path := strings.Replace(tile.Path(), "tile/8/", "tile/", 1)
	return strings.Replace(path, "tile/data/", "tile/entries/", 1)
}

// checkGrowth returns an error unless the newer tree begins with the older one.
func checkGrowth(older, newer tlog.Tree, t tiles) error {
	proof, err := tlog.ProveTree(newer.N, older.N, tlog.TileHashReader(newer, t))
	if err != nil {
		return err
	}
	if tlog.CheckTree(proof, newer.N, newer.Hash, older.N, older.Hash) != nil {
		return fmt.Errorf("its %d entries are not the first of the %d that it has later: the service signed a fork", older.N, newer.N)
	}
	return nil
}

// readLog verifies the newest checkpoint of a log, with the place of the proof's entry and, if asked, all entries.
func readLog(t tiles, keys []publicKey, proof object, o options, r *report) []mark {
	text, err := t.read("checkpoint")
	if err != nil {
		panic(unreadable(err.Error()))
	}
	c, err := openCheckpoint(string(text), keys)
	if err != nil {
		r.refused(logNow, err)
		return nil
	}
	r.proven("key "+c.signedBy, "%s is a checkpoint of %d entries of %s", logNow, c.tree.N, c.origin)
	checkWitnesses(logNow, c, o.witnesses, r)
	reader := tlog.TileHashReader(c.tree, t)
	if at := int64(-1); proof != nil && proof["origin"] == c.origin {
		if at = proof.number("index"); at >= 0 && at < c.tree.N {
			leaf, err := reader.ReadHashes([]int64{tlog.StoredHashIndex(0, at)})
			if err == nil && leaf[0] != leafOf(proof) {
				err = fmt.Errorf("its entry %d is not that of the proof", at)
			}
			if err != nil {
				r.refused(logNow, err)
			} else {
				r.proven("the tiles of the log", "%s still has ledger entry %d of %s", logNow, proof.number("seq"), proof.text("account_id"))
			}
		}
	}
	if o.entries {
		if err := checkEntries(c.tree.N, reader, t); err != nil {
			r.refused(logNow, err)
		} else {
			r.proven("each of its entries", "%s has the root that was signed, and states no total that it does not publish", logNow)
		}
	}
	return []mark{{logNow, c}}
}

// checkEntries compares each entry with the tiles, and those with the root. Only published totals may look like totals.
func checkEntries(size int64, reader tlog.HashReader, t tiles) error {
	published, err := readStatements(t, size)
	if err != nil {
		return err
	}
	for start := int64(0); start < size; start += 256 {
		width := min(256, size-start)
		bundle, err := t.read(tilePath(tlog.Tile{H: 8, L: -1, N: start / 256, W: int(width)}))
		if err != nil {
			return err
		}
		indexes := make([]int64, width)
		for i := range indexes {
			indexes[i] = tlog.StoredHashIndex(0, start+int64(i))
		}
		hashes, err := reader.ReadHashes(indexes)
		if err != nil {
			return err
		}
		for i, leaf := range hashes {
			var entry []byte
			if len(bundle) >= 2 {
				if end := 2 + int(binary.BigEndian.Uint16(bundle)); end <= len(bundle) {
					entry, bundle = bundle[2:end], bundle[end:]
				}
			}
			if tlog.RecordHash(entry) != leaf {
				return fmt.Errorf("entry %d is not the one in its tile", start+int64(i))
			}
			if one := published[start+int64(i)]; one.entry() != string(entry) && (one.text != "" || strings.HasPrefix(string(entry), statementTag)) {
				return fmt.Errorf("entry %d is not the total of all balances that is published for it", start+int64(i))
			}
		}
	}
	return nil
}
