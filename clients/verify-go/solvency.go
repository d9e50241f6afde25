package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"time"

	"golang.org/x/mod/sumdb/tlog"
)

// statement is what the log states once a day: that the balances of all accounts add up to a total.
type statement struct {
	text, origin    string
	at              time.Time
	accounts, total int64
	root            []byte
}

const (
	statementTag = "solvency"
	tagged       = 24
	// late: an entry that was made this long before a total must be in it, because transactions end within a minute.
	late = 2 * time.Minute
	// day is how far totals of one log are apart, as measured by the clocks of several workers.
	day      = 23 * time.Hour
	maxTotal = 1<<53 - 1
)

var statementText = regexp.MustCompile(`^atelier-solvency\n([^\n]+)\n([^\n]+)\n([1-9][0-9]{0,15})\n(0|[1-9][0-9]{0,15})\n([A-Za-z0-9+/]{43}=)\n$`)

func readStatement(text string) (statement, error) {
	found := statementText.FindStringSubmatch(text)
	if found == nil {
		return statement{}, errors.New("the statement of the total has another form")
	}
	s := statement{text: text, origin: found[1]}
	var badTime, badRoot error
	s.at, badTime = time.Parse("2006-01-02T15:04:05.000Z", found[2])
	s.accounts, _ = strconv.ParseInt(found[3], 10, 64)
	s.total, _ = strconv.ParseInt(found[4], 10, 64)
	s.root, badRoot = base64.StdEncoding.DecodeString(found[5])
	return s, errors.Join(badTime, badRoot)
}

// entry is that of the log, which every reader knows by its first bytes.
func (s statement) entry() string {
	sum := sha256.Sum256([]byte(s.text))
	return statementTag + string(sum[:tagged])
}

// checkSolvency returns the total that has the balance of the proof, and the checkpoint that covers it.
func checkSolvency(proof object, keys []publicKey, entries map[string]object, r *report) (s statement, c *checkpoint) {
	const total = "the total of all balances"
	if proof == nil {
		r.open("that the balance is in the total of all: there is no proof of it")
		return s, nil
	}
	s, found, err := verifySolvency(proof, keys)
	if err != nil {
		r.refused(total, err)
		return s, nil
	}
	seq, balance := proof.number("seq"), proof.number("balance")
	known := entries == nil || seq == 0 && balance == 0
	for _, entry := range entries {
		if entry.number("seq") == seq {
			known = entry.number("balance_after") == balance
		} else if entry.number("seq") == seq+1 && isBefore(entry, s) {
			err = fmt.Errorf("it has the balance before entry %d, which is older than the total", seq+1)
		}
	}
	switch {
	case !known:
		r.refused("the ledger", fmt.Errorf("its balance after entry %d is not the %d credits in the total", seq, balance))
	case err != nil:
		r.refused(total, err)
	default:
		r.proven("the tree of sums and key "+found.signedBy, "the %d credits after entry %d of %s are in the %d of %d accounts on %s",
			balance, seq, proof.text("account_id"), s.total, s.accounts, s.at.Format("2006-01-02T15:04:05.000Z"))
	}
	return s, &found
}

func verifySolvency(proof object, keys []publicKey) (s statement, c checkpoint, err error) {
	if c, err = openCheckpoint(proof.text("checkpoint"), keys); err != nil {
		return s, c, err
	}
	if s, err = readStatement(proof.text("statement")); err != nil {
		return s, c, err
	}
	if c.origin != s.origin {
		return s, c, fmt.Errorf("the checkpoint is of the log %s, and the statement of %s", c.origin, s.origin)
	}
	if err = checkEntry(c, proof.number("log_index"), proof, "log_path", tlog.RecordHash([]byte(s.entry()))); err != nil {
		return s, c, err
	}
	return s, c, checkSum(proof, s)
}

// checkSum follows the path of a balance to the root of the tree of sums (RFC 9162, section 2.1.3.2, with other nodes).
func checkSum(proof object, s statement) error {
	at, last, balance := proof.number("index"), s.accounts-1, proof.number("balance")
	if at < 0 || at > last {
		return fmt.Errorf("leaf %d is outside of the %d accounts of the statement", at, s.accounts)
	}
	if balance < 0 || balance > maxTotal {
		return fmt.Errorf("%d is no number of credits", balance)
	}
	salt, leaf := hash(proof, "salt"), sha256.New()
	leaf.Write([]byte{0})
	leaf.Write(salt[:])
	io.WriteString(leaf, proof.text("account_id"))
	binary.Write(leaf, binary.BigEndian, proof.number("seq"))
	binary.Write(leaf, binary.BigEndian, balance)
	node := append(binary.BigEndian.AppendUint64(nil, uint64(balance)), leaf.Sum(nil)...)
	join := func(left, right []byte) error {
		sum := binary.BigEndian.Uint64(left) + binary.BigEndian.Uint64(right)
		if binary.BigEndian.Uint64(left) > maxTotal || binary.BigEndian.Uint64(right) > maxTotal || sum > maxTotal {
			return errors.New("the sums of the tree are too large")
		}
		digest := sha256.Sum256(bytes.Join([][]byte{{1}, left, right}, nil))
		node = append(binary.BigEndian.AppendUint64(nil, sum), digest[:]...)
		return nil
	}
	for _, step := range get[[]any](proof, "path") {
		if last == 0 {
			return errors.New("the path of the proof is too long")
		}
		sibling := decode(object{"path": step}, "path", 8+sha256.Size)
		var err error
		if at%2 == 1 || at == last {
			err = join(sibling, node)
			for ; at%2 == 0 && at > 0; at, last = at>>1, last>>1 {
			}
		} else {
			err = join(node, sibling)
		}
		if err != nil {
			return err
		}
		at, last = at>>1, last>>1
	}
	if last != 0 {
		return errors.New("the path of the proof is too short")
	}
	if !bytes.Equal(node, append(binary.BigEndian.AppendUint64(nil, uint64(s.total)), s.root...)) {
		return fmt.Errorf("the balance is not in the total of %d credits: the tree does not lead to it", s.total)
	}
	return nil
}

// readStatements returns the totals that the log publishes for its first entries, by their places.
func readStatements(t tiles, size int64) (map[int64]statement, error) {
	text, err := t.read("solvency")
	if err != nil {
		return nil, err
	}
	listed, err := parseObject(text)
	if err != nil {
		return nil, err
	}
	published := map[int64]statement{}
	for _, one := range listed.objects("statements") {
		s, err := readStatement(one.text("text"))
		if err != nil {
			return nil, err
		}
		if one.number("index") < size {
			published[one.number("index")] = s
		}
	}
	return published, nil
}

// checkNewest refuses a ledger that is older than the newest total of its log at the time of the proof, and is not proven to be in that.
func checkNewest(t tiles, proven checkpoint, stated statement, entries map[string]object, r *report) {
	published, err := readStatements(t, proven.tree.N)
	if err != nil {
		panic(unreadable(err.Error()))
	}
	newest := int64(-1)
	for _, at := range slices.Sorted(maps.Keys(published)) {
		one := published[at]
		if newest >= 0 && one.at.Sub(published[newest].at) < day {
			r.refused("the total of all balances", fmt.Errorf("the log states two totals within a day, of %s and %s", published[newest].at, one.at))
		}
		if one.origin == proven.origin {
			newest = at
		}
	}
	if newest < 0 || published[newest].text == stated.text {
		return
	}
	for _, entry := range entries {
		if entry.number("seq") == 1 && isBefore(entry, published[newest]) {
			r.refused("the total of all balances", fmt.Errorf("that of %s is not proven to have this ledger, which is older", published[newest].at.Format(time.RFC3339)))
		}
	}
}

func isBefore(entry object, s statement) bool {
	made, err := time.Parse(time.RFC3339, entry.text("created_at"))
	if err != nil {
		panic(unreadable(err.Error()))
	}
	return made.Before(s.at.Add(-late))
}
