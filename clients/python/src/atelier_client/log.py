"""The public log of all ledgers: signed checkpoints (c2sp.org/tlog-checkpoint), proofs that a ledger is in one (RFC 6962) and a balance
in the total of all, and the tiles of the log."""

from __future__ import annotations

import base64
import binascii
import functools
import hashlib
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Callable, Iterable

from .ed25519 import is_signed
from .errors import AtelierError

if TYPE_CHECKING:
    from .models import LogProof, ReceiptKey, SolvencyProof

_NOTE = re.compile(r"([^\n]+)\n([1-9][0-9]*)\n([A-Za-z0-9+/]{43}=)\n\n((?:\u2014 \S+ [A-Za-z0-9+/=]+\n)+)")
_LINE = re.compile(r"\u2014 (\S+) (\S+)\n")


@dataclass(frozen=True)
class Checkpoint:
    """What one of the keys has signed: that the first ``size`` entries of the log ``origin`` have this root."""

    origin: str
    size: int
    root: bytes
    #: kid of the key.
    signed_by: str


def open_checkpoint(note: str, *, keys: Iterable[ReceiptKey]) -> Checkpoint:
    """Returns what a checkpoint says. Raises an AtelierError with the code log_refused unless one of the keys signed it."""
    found = _NOTE.fullmatch(note)
    if not found:
        raise _refused("The checkpoint is not a signed note with an origin, a size and a root.")
    origin, size, root, lines = found.groups()
    text = note[: -len(lines) - 1].encode()
    known = {_key_id(origin, key): key for key in keys}
    signatures = [_base64(signed) for name, signed in _LINE.findall(lines) if name == origin]
    # Signatures of others, such as witnesses, are no concern of ours.
    mine = [(known[signed[:4]], signed[4:]) for signed in signatures if signed[:4] in known]
    if not mine:
        raise _refused(f"None of the {len(known)} keys given has signed the checkpoint of {origin}.")
    for key, signature in mine:
        if not is_signed(_public(key), signature, text):
            raise _refused("The signature of the checkpoint is not valid: it was changed, or another key signed it.")
    return Checkpoint(origin, int(size), _base64(root), mine[0][0]["kid"])


def verify_log_proof(proof: LogProof, *, keys: Iterable[ReceiptKey]) -> Checkpoint:
    """Returns the checkpoint that covers the ledger entry of the proof. Raises an AtelierError with the code log_refused unless it does."""
    checkpoint = open_checkpoint(proof["checkpoint"], keys=keys)
    if checkpoint.origin != proof["origin"]:
        raise _refused(f"The checkpoint is of the log {checkpoint.origin}, and the proof of {proof['origin']}.")
    entry = _sha(_hex(proof["salt"]), proof["account_id"].encode(), _number(proof["seq"]), _hex(proof["hash"]))
    _check_entry(checkpoint, proof["index"], entry, proof["path"])
    return checkpoint


@dataclass(frozen=True)
class Statement:
    """What the log states once a day: that the balances of all accounts add up to a total."""

    text: str
    origin: str
    at: str
    accounts: int
    total: int
    root: bytes

    @property
    def entry(self) -> bytes:
        """Its entry in the log."""
        return b"solvency" + _sha(self.text.encode())[:24]


_STATEMENT = re.compile(
    r"atelier-solvency\n([^\n]+)\n(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)\n([1-9][0-9]*)\n(0|[1-9][0-9]*)\n([A-Za-z0-9+/]{43}=)\n"
)


def read_statement(text: str) -> Statement:
    """Raises an AtelierError with the code log_refused unless it is a statement of a total."""
    found = _STATEMENT.fullmatch(text)
    if not found:
        raise _refused("The statement of the total has another form.")
    origin, at, accounts, total, root = found.groups()
    return Statement(text, origin, at, int(accounts), int(total), _base64(root))


def verify_solvency_proof(proof: SolvencyProof, *, keys: Iterable[ReceiptKey]) -> tuple[Statement, Checkpoint]:
    """Returns the statement whose total has the balance of the proof, and the checkpoint that covers it. Raises an AtelierError with the code
    log_refused unless they do."""
    checkpoint = open_checkpoint(proof["checkpoint"], keys=keys)
    statement = read_statement(proof["statement"])
    if checkpoint.origin != statement.origin:
        raise _refused(f"The checkpoint is of the log {checkpoint.origin}, and the statement of {statement.origin}.")
    _check_entry(checkpoint, proof["log_index"], statement.entry, proof["log_path"])
    if not 0 <= proof["index"] < statement.accounts:
        raise _refused(f"Leaf {proof['index']} is outside of the {statement.accounts} accounts of the statement.")
    balance = _number(proof["balance"])
    leaf = _sha(b"\0", _hex(proof["salt"]), proof["account_id"].encode(), _number(proof["seq"]), balance)
    steps = [_hex(step, 40) for step in proof["path"]]
    node = _lead(balance + leaf, proof["index"], statement.accounts, steps, _sum)
    if node != _number(statement.total) + statement.root:
        raise _refused(f"The balance is not in the total of {statement.total} credits: the tree does not lead to it.")
    return statement, checkpoint


def _sum(left: bytes, right: bytes) -> bytes:
    """A node of the tree of balances: the sum below it, and a hash of both children with their sums."""
    return _number(int.from_bytes(left[:8], "big") + int.from_bytes(right[:8], "big")) + _sha(b"\1", left, right)


def _number(value: int) -> bytes:
    if not 0 <= value < 2**53:
        raise _refused(f"{value} is no number of credits or of an entry.")
    return value.to_bytes(8, "big")


def _check_entry(checkpoint: Checkpoint, at: int, entry: bytes, path: list[str]) -> None:
    if not 0 <= at < checkpoint.size:
        raise _refused(f"Entry {at} is outside of the {checkpoint.size} entries of the checkpoint.")
    steps = map(_hex, path)
    if _lead(_sha(b"\0", entry), at, checkpoint.size, steps, lambda left, right: _sha(b"\1", left, right)) != checkpoint.root:
        raise _refused("The proof does not lead to the root of the checkpoint: the entry is not the one in the log.")


def _lead(node: bytes, at: int, size: int, path: Iterable[bytes], join: Callable[[bytes, bytes], bytes]) -> bytes:
    """The root that a path leads to (RFC 9162, section 2.1.3.2)."""
    last = size - 1
    for step in path:
        if last == 0:
            raise _refused("The path of the proof is too long.")
        if at % 2 == 1 or at == last:
            node = join(step, node)
            while at % 2 == 0 and at > 0:
                at, last = at >> 1, last >> 1
        else:
            node = join(node, step)
        at, last = at >> 1, last >> 1
    if last != 0:
        raise _refused("The path of the proof is too short.")
    return node


def check_growth(older: Checkpoint, newer: Checkpoint, read: Callable[[str], bytes]) -> None:
    """Raises an AtelierError with the code log_refused unless the log of the newer checkpoint begins with that of the older.

    ``read`` fetches a tile (c2sp.org/tlog-tiles) such as tile/0/000.p/7.
    """

    @functools.cache
    def tile(level: int, index: int) -> bytes:
        width = min(256, (newer.size >> 8 * level) - 256 * index)
        digits = str(index)
        number = re.sub(r"(\d{3})(?=\d)", r"x\1/", digits.zfill(len(digits) + -len(digits) % 3))
        path = f"tile/{level}/{number}" + (f".p/{width}" if width < 256 else "")
        data = read(path)
        if len(data) != 32 * width:
            raise _refused(f"{path} has {len(data)} bytes for {width} hashes.")
        return data

    def whole(start: int, count: int) -> bytes:
        """The hash of a subtree that is full: count is a power of two."""
        level, rest = divmod(count.bit_length() - 1, 8)
        if rest:
            return _sha(b"\1", whole(start, count // 2), whole(start + count // 2, count // 2))
        at = start >> 8 * level
        return tile(level, at // 256)[at % 256 * 32 :][:32]

    def roots(start: int, end: int) -> tuple[bytes, bytes]:
        """Of these entries in the older log, empty where it has none of them, and in the newer. The same hashes lead to both."""
        count = end - start
        half = 1 << (count - 1).bit_length() - 1 if count > 1 else 1
        if count in (1, 2 * half) and not start < older.size < end:
            node = whole(start, count)
            return node if end <= older.size else b"", node
        left, right = roots(start, start + half), roots(start + half, end)
        return _sha(b"\1", left[0], right[0]) if right[0] else left[0], _sha(b"\1", left[1], right[1])

    older_root, newer_root = roots(0, newer.size)
    if newer_root != newer.root:
        raise _refused(f"Its tiles do not lead to the root of {newer.size} entries.")
    if older_root != older.root:
        raise _refused(
            f"Its {older.size} entries are not the first of the {newer.size} that it has later: the service signed a fork."
        )


def _key_id(origin: str, key: ReceiptKey) -> bytes:
    return _sha(origin.encode(), b"\n\1", _public(key))[:4]


def _public(key: ReceiptKey) -> bytes:
    return base64.urlsafe_b64decode(key["x"] + "=" * (-len(key["x"]) % 4))


def _sha(*parts: bytes) -> bytes:
    return hashlib.sha256(b"".join(parts)).digest()


def _hex(text: str, length: int = 32) -> bytes:
    if not re.fullmatch(r"[0-9a-f]{%d}" % (2 * length), text):
        raise _refused(f"{text[:80]} is not {length} bytes in hex.")
    return bytes.fromhex(text)


def _base64(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except binascii.Error:
        raise _refused("A part of the checkpoint is not base64.") from None


def _refused(why: str) -> AtelierError:
    return AtelierError("log_refused", f"The log cannot be trusted. {why}")
