// Command verify-go says what an export, receipts, files and checkpoints prove. It reads files only; with --log also the tiles of that log.
package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
)

const logNow = "the log now"

// One line for each statement, printed as it is found.
type report struct{ wrong bool }

func (r *report) proven(by, what string, values ...any) {
	fmt.Printf("proven      %s (by %s)\n", fmt.Sprintf(what, values...), by)
}

func (r *report) refused(what string, why error) {
	r.wrong = true
	fmt.Printf("WRONG       %s: %v\n", what, why)
}

func (r *report) open(what string, values ...any) {
	fmt.Printf("not proven  %s\n", fmt.Sprintf(what, values...))
}

type options struct {
	keys, issuer, export, proof, log string
	entries                          bool
	checkpoints, receipts, files     []string
	witnesses                        []witness
}

func parse() (o options) {
	flag.StringVar(&o.keys, "keys", "", "the JWK set of the service, which you kept (required)")
	flag.StringVar(&o.issuer, "issuer", "", "the URL of the service that receipts must name; by default any")
	flag.StringVar(&o.export, "export", "", "the export of your account")
	flag.StringVar(&o.proof, "proof", "", "a response of /api/credits/proof, instead of the one in the export")
	flag.StringVar(&o.log, "log", "", "the URL of the log, to compare checkpoints of different sizes by its tiles")
	flag.BoolVar(&o.entries, "entries", false, "with --log: also read each entry of the log")
	list := func(target *[]string, name, words string) {
		flag.Func(name, words+"; may be repeated", func(path string) error {
			*target = append(*target, path)
			return nil
		})
	}
	list(&o.checkpoints, "checkpoint", "a checkpoint of the log that you kept or were given")
	list(&o.receipts, "receipt", "a receipt, or a response that has one")
	list(&o.files, "file", "an output of a job")
	flag.Func("witness", "the verifier key of a witness, to say which checkpoints it cosigned, and when; may be repeated", func(key string) error {
		witness, err := parseWitness(key)
		o.witnesses = append(o.witnesses, witness)
		return err
	})
	flag.Parse()
	if o.keys == "" || flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	return o
}

func main() {
	o, r := parse(), &report{}
	defer func() {
		failure := recover()
		if bad, isUnreadable := failure.(unreadable); isUnreadable {
			fmt.Fprintf(os.Stderr, "verify-go: cannot be read: %s\n", bad)
			os.Exit(2)
		} else if failure != nil {
			panic(failure)
		} else if r.wrong {
			os.Exit(1)
		}
	}()
	keys := readKeys(o.keys)
	var export object
	var entries map[string]object
	if o.export != "" {
		export = readObject(o.export)
		entries = checkLedger(export, r)
	}
	holder := export
	if o.proof != "" {
		holder = readObject(o.proof)
	}
	marks := []mark{}
	proof := proofIn(holder, "proof", "log_proof")
	proven := checkProof(proof, keys, entries, r)
	if proven != nil {
		checkWitnesses("the proof", *proven, o.witnesses, r)
		marks = append(marks, mark{"the proof", *proven})
	}
	stated, covered := checkSolvency(proofIn(holder, "solvency", "solvency_proof"), keys, entries, r)
	if covered != nil && (proven == nil || covered.tree != proven.tree) {
		marks = append(marks, mark{"the proof of the total", *covered})
	}
	for _, path := range o.checkpoints {
		kept, err := openCheckpoint(string(readFile(path)), keys)
		if err != nil {
			r.refused(path, err)
			continue
		}
		r.proven("key "+kept.signedBy, "%s is a checkpoint of %d entries of %s", path, kept.tree.N, kept.origin)
		checkWitnesses(path, kept, o.witnesses, r)
		marks = append(marks, mark{path, kept})
	}
	if o.log != "" && proven != nil {
		checkNewest(tiles{o.log}, *proven, stated, entries, r)
	}
	if o.log != "" {
		marks = append(marks, readLog(tiles{o.log}, keys, proof, o, r)...)
	}
	compare(marks, o.log, r)
	digests := checkReceipts(o, keys, entries, r)
	for _, path := range o.files {
		sum := sha256.Sum256(readFile(path))
		if job, known := digests[hex.EncodeToString(sum[:])]; known {
			r.proven("its SHA-256 in the receipt", "%s is an output of %s", path, job)
		} else {
			r.refused(path, errors.New("it is an output of no valid receipt that was given"))
		}
	}
	r.open("that the service signed no other history for others: compare checkpoints with them")
}

// A checkpoint and where it is from.
type mark struct {
	name string
	checkpoint
}

// Compares each checkpoint with the next larger one of the same log.
func compare(marks []mark, log string, r *report) {
	if len(marks) == 0 {
		return
	}
	origin := marks[0].origin
	own := slices.DeleteFunc(slices.Clone(marks), func(m mark) bool {
		if m.origin != origin {
			r.open("that %s is of the same log: it is of %s, and %s is of %s", m.name, m.origin, marks[0].name, origin)
		}
		return m.origin != origin
	})
	slices.SortStableFunc(own, func(a, b mark) int { return int(a.tree.N - b.tree.N) })
	for i, newer := range own[1:] {
		older := own[i]
		if older.name == logNow && older.tree.N < newer.tree.N {
			r.refused(logNow, fmt.Errorf("it has %d entries, and %s has %d: an old checkpoint is shown, if reading again changes nothing", older.tree.N, newer.name, newer.tree.N))
		}
		switch {
		case older.tree == newer.tree:
			r.proven("their root", "%s and %s are of one history", newer.name, older.name)
		case older.tree.N == newer.tree.N:
			r.refused(newer.name, fmt.Errorf("it has another root for %d entries than %s: the service signed a fork", newer.tree.N, older.name))
		case log == "":
			r.open("that the logs of %d and %d entries are one: read the tiles with --log", older.tree.N, newer.tree.N)
		default:
			if err := checkGrowth(older.tree, newer.tree, tiles{log}); err != nil {
				r.refused(older.name, fmt.Errorf("the tiles do not show that it grew from %d to %d entries: %w", older.tree.N, newer.tree.N, err))
				continue
			}
			r.proven("the tiles of the log", "%s and %s are of one history, which grew from %d to %d entries", older.name, newer.name, older.tree.N, newer.tree.N)
		}
	}
}
