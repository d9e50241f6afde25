"""The proof of the ledger: each entry carries the hash of the one before it, so that nothing can be changed or left out unseen."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Iterable

if TYPE_CHECKING:
    from .models import LedgerEntry

#: prev_hash of an account's first entry.
GENESIS_HASH = "0" * 64


@dataclass(frozen=True)
class LedgerProof:
    ok: bool
    #: How many entries hold, from the first.
    entries: int
    last_hash: str
    #: seq of the first entry that does not hold; None where all do.
    broken_seq: int | None = None


def check_ledger(entries: Iterable[LedgerEntry]) -> LedgerProof:
    """Checks all entries of an account, oldest first: hashes, order and sums.

    Raises ValueError for a version that this client does not know.
    """
    seq, balance, held, last_hash = 0, 0, 0, GENESIS_HASH
    for entry in entries:
        balance, held = balance + entry["amount"], held + entry["hold"]
        holds = (
            entry["seq"] == seq + 1
            and entry["balance_after"] == balance
            and entry["held_after"] == held
            and entry["prev_hash"] == last_hash
            and entry["hash"] == _hash_of(entry)
        )
        if not holds:
            return LedgerProof(False, seq, last_hash, broken_seq=seq + 1)
        seq, last_hash = seq + 1, entry["hash"]
    return LedgerProof(True, seq, last_hash)


def _hash_of(entry: LedgerEntry) -> str:
    """SHA-256 of the entry as RFC 8785 writes it: sorted names, no white space. Entries without a version have no grants in it."""
    version = entry.get("version")
    if version not in (None, 2):
        raise ValueError(f"entry {entry['seq']} has version {version}, which this client cannot check: update it")
    left_out = ("hash",) if version else ("hash", "grants")
    hashed = {name: value for name, value in entry.items() if name not in left_out}
    text = json.dumps(hashed, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()
