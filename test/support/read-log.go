// Command read-log reads each entry of a log with the client of filippo.io/torchwood, which authenticates them by the signed checkpoint.
// Arguments: the URL of the log, and its verifier key.
package main

import (
	"context"
	"fmt"
	"os"

	"filippo.io/torchwood"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

func main() {
	if err := read(context.Background(), os.Args[1], os.Args[2]); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

func read(ctx context.Context, url, key string) error {
	fetcher, err := torchwood.NewTileFetcher(url)
	if err != nil {
		return err
	}
	data, err := fetcher.ReadEndpoint(ctx, "checkpoint")
	if err != nil {
		return err
	}
	verifier, err := note.NewVerifier(key)
	if err != nil {
		return err
	}
	signed, err := note.Open(data, note.VerifierList(verifier))
	if err != nil {
		return err
	}
	checkpoint, err := torchwood.ParseCheckpoint(signed.Text)
	if err != nil {
		return err
	}
	client, err := torchwood.NewClient(fetcher)
	if err != nil {
		return err
	}
	count := int64(0)
	// Full tiles come first; the rest follows when reading continues.
	for before := int64(-1); count > before && count < checkpoint.N; {
		before = count
		for range client.Entries(ctx, tlog.Tree{N: checkpoint.N, Hash: checkpoint.Hash}, count) {
			count++
		}
		if err := client.Err(); err != nil {
			return err
		}
	}
	fmt.Printf("%d entries of %d, %d cosignatures\n", count, checkpoint.N, len(signed.UnverifiedSigs))
	return nil
}
