"""atelier-verify: says what an export, receipts, files and checkpoints prove. Reads files only; with --log also the tiles of that log."""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from datetime import datetime, timedelta
from typing import Any, Iterator
from urllib.error import HTTPError
from urllib.request import urlopen

from .errors import AtelierError
from .ledger import GENESIS_HASH, check_ledger
from .log import (
    Checkpoint,
    Statement,
    check_growth,
    open_checkpoint,
    read_statement,
    verify_log_proof,
    verify_solvency_proof,
)
from .receipts import verify_receipt
from .witnesses import Witness, cosigned_at, parse_witness

LOG_NOW = "the log now"
#: An entry that was made this long before a total must be in it: transactions end within a minute.
_LATE = timedelta(minutes=2)
#: Totals of one log are a day apart, as measured by the clocks of several workers.
_DAY = timedelta(hours=23)


class Report:
    """One line for each statement, printed as it is found."""

    def __init__(self) -> None:
        self.wrong = 0

    def proven(self, what: str, by: str) -> None:
        print(f"proven      {what} (by {by})")

    def refused(self, what: str, why: str) -> None:
        self.wrong += 1
        print(f"WRONG       {what}: {why}")

    def open(self, what: str) -> None:
        print(f"not proven  {what}")


def main(arguments: list[str] | None = None) -> int:
    asked = _parser().parse_args(arguments)
    report = Report()
    try:
        keys = _json(asked.keys)["keys"]
        witnesses = [parse_witness(key) for key in asked.witness]
        export = _json(asked.export) if asked.export else {}
        entries = _ledger(export, report) if asked.export else {}
        holder = _json(asked.proof) if asked.proof else export
        proof, solvency = _part_of(holder, "proof", "log_proof"), _part_of(holder, "solvency", "solvency_proof")
        proven = _log(proof, keys, entries, report, has_export=bool(asked.export))
        stated = _solvency(solvency, keys, entries if asked.export else None, report)
        marks = [("the proof", proven)] if proven else []
        if proof and proven:
            _cosigned("the proof", proof["checkpoint"], proven, witnesses, report)
        if stated and stated[1] != proven:
            marks.append(("the proof of the total", stated[1]))
        _compare([*marks, *_checkpoints(asked, keys, witnesses, report)], asked.log, report)
        if asked.log and proven:
            _newest_statement(asked.log, proven, stated and stated[0], entries, report)
        digests = _receipts(asked.receipt, keys, asked.issuer, entries, report, has_export=bool(asked.export))
        for path in asked.file:
            _file(path, digests, report)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        print(f"atelier-verify: cannot be read: {type(error).__name__}: {error}", file=sys.stderr)
        return 2
    report.open("that the service signed no other history for others: compare checkpoints with them")
    return 1 if report.wrong else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("atelier-verify", description=__doc__)
    parser.add_argument("--keys", required=True, help="the JWK set of the service, which you kept")
    parser.add_argument("--issuer", help="the URL of the service that receipts must name; by default any")
    parser.add_argument("--export", help="the export of your account")
    parser.add_argument("--proof", help="a response of /api/credits/proof, instead of the one in the export")
    parser.add_argument("--log", help="the URL of the log, to compare checkpoints of different sizes by its tiles")
    for name, words in (
        ("checkpoint", "a checkpoint of the log that you kept or were given"),
        ("receipt", "a receipt, or a response that has one"),
        ("file", "an output of a job"),
        ("witness", "the verifier key of a witness, to say which checkpoints it cosigned, and when"),
    ):
        parser.add_argument(f"--{name}", action="append", default=[], help=f"{words}; may be repeated")
    return parser


def _ledger(export: dict, report: Report) -> dict[str, dict]:
    """Returns the entries that hold, by their ids."""
    # An export lists the newest first.
    entries = sorted(export["ledger"], key=lambda entry: entry["seq"])
    proof = check_ledger(entries)
    if not proof.ok:
        report.refused("the ledger", f"entry {proof.broken_seq} was changed, or one is missing before it")
    else:
        balance = entries[-1]["balance_after"] if entries else 0
        report.proven(f"{proof.entries} ledger entries follow each other and add up to {balance} credits", "their hashes")
    return {entry["entry_id"]: entry for entry in entries[: proof.entries]}


def _part_of(holder: dict, *names: str) -> dict | None:
    holder = holder.get("result", holder)
    return next((holder[name] for name in names if holder.get(name)), None)


def _log(proof: Any, keys: Any, entries: dict[str, dict], report: Report, *, has_export: bool) -> Checkpoint | None:
    if proof is None:
        report.open("that others see the same ledger: there is no proof of the log")
        return None
    try:
        checkpoint = verify_log_proof(proof, keys=keys)
    except AtelierError as error:
        report.refused("the proof of the log", error.message)
        return None
    where = f"entry {proof['index']} of the {checkpoint.size} in the log {checkpoint.origin}"
    hashes = {entry["seq"]: entry["hash"] for entry in entries.values()}
    if has_export and hashes.get(proof["seq"], GENESIS_HASH) != proof["hash"]:
        report.refused("the ledger", f"its entry {proof['seq']} is not the one that is {where}")
    else:
        report.proven(f"ledger entry {proof['seq']} of {proof['account_id']} is {where}", f"key {checkpoint.signed_by}")
    later = len([seq for seq in hashes if seq > proof["seq"]])
    if later > 0:
        report.open(f"that others see the {later} entries after number {proof['seq']}: they are not in the log yet")
    return checkpoint


def _solvency(proof: Any, keys: Any, entries: dict[str, dict] | None, report: Report) -> tuple[Statement, Checkpoint] | None:
    """``entries`` is None where there is no ledger to compare with."""
    if proof is None:
        report.open("that the balance is in the total of all: there is no proof of it")
        return None
    try:
        statement, checkpoint = verify_solvency_proof(proof, keys=keys)
    except AtelierError as error:
        report.refused("the total of all balances", error.message)
        return None
    seq, balance = proof["seq"], proof["balance"]
    if entries is not None:
        own = {0: 0, **{entry["seq"]: entry["balance_after"] for entry in entries.values()}}
        if own.get(seq) != balance:
            report.refused("the ledger", f"its balance after entry {seq} is not the {balance} credits in the total")
            return statement, checkpoint
        if any(entry["seq"] == seq + 1 and _is_before(entry, statement) for entry in entries.values()):
            report.refused("the total of all balances", f"it has the balance before entry {seq + 1}, which is older than the total")
            return statement, checkpoint
    what = f"the {balance} credits after entry {seq} of {proof['account_id']} are in the {statement.total} of {statement.accounts} accounts"
    report.proven(f"{what} on {statement.at}", f"the tree of sums and key {checkpoint.signed_by}")
    return statement, checkpoint


def _newest_statement(log: str, proven: Checkpoint, stated: Statement | None, entries: dict[str, dict], report: Report) -> None:
    """The newest total that the log had with the proof must be the one that was proven, or be older than the ledger."""
    listed = [one for one in json.loads(_fetch(log, "solvency"))["statements"] if one["index"] < proven.size]
    known = [read_statement(one["text"]) for one in sorted(listed, key=lambda one: one["index"])]
    for before, after in zip(known, known[1:]):
        if _time(after.at) - _time(before.at) < _DAY:
            report.refused("the total of all balances", f"the log states two totals within a day, of {before.at} and {after.at}")
    newest = next((one for one in reversed(known) if one.origin == proven.origin), None)
    if newest is None or (stated and stated.text == newest.text):
        return
    if any(entry["seq"] == 1 and _is_before(entry, newest) for entry in entries.values()):
        report.refused("the total of all balances", f"that of {newest.at} is not proven to have this ledger, which is older")


def _is_before(entry: dict, statement: Statement) -> bool:
    return _time(entry["created_at"]) < _time(statement.at) - _LATE


def _time(text: str) -> datetime:
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def _checkpoints(asked: argparse.Namespace, keys: Any, witnesses: list[Witness], report: Report) -> Iterator[tuple[str, Checkpoint]]:
    notes = [(path, _text(path)) for path in asked.checkpoint]
    if asked.log:
        notes.append((LOG_NOW, _fetch(asked.log, "checkpoint").decode()))
    for name, note in notes:
        try:
            kept = open_checkpoint(note, keys=keys)
        except AtelierError as error:
            report.refused(name, error.message)
            continue
        report.proven(f"{name} is a checkpoint of {kept.size} entries of {kept.origin}", f"key {kept.signed_by}")
        _cosigned(name, note, kept, witnesses, report)
        yield name, kept


def _cosigned(name: str, note: str, kept: Checkpoint, witnesses: list[Witness], report: Report) -> None:
    for witness in witnesses:
        try:
            at = cosigned_at(note, witness)
        except AtelierError as error:
            report.refused(name, error.message)
            continue
        if at is None:
            report.open(f"that {witness.name} saw {name}: it has no cosignature of it")
        else:
            what = f"by {at:%Y-%m-%d %H:%M:%S} UTC {witness.name} had seen no other history of the {kept.size} entries of {name}"
            report.proven(what, "its cosignature")


def _compare(named: list[tuple[str, Checkpoint]], log: str | None, report: Report) -> None:
    """Compares each checkpoint with the next larger one of the same log."""
    for name, kept in named[1:]:
        if kept.origin != named[0][1].origin:
            report.open(f"that {name} is of the same log: it is of {kept.origin}, and {named[0][0]} is of {named[0][1].origin}")
    own = sorted((one for one in named if one[1].origin == named[0][1].origin), key=lambda one: one[1].size)
    for (before, older), (after, newer) in zip(own, own[1:]):
        sizes = f"{older.size} to {newer.size} entries"
        if before == LOG_NOW and older.size < newer.size:
            why = "an old checkpoint is shown, if reading again changes nothing"
            report.refused(LOG_NOW, f"it has {older.size} entries, and {after} has {newer.size}: {why}")
        if older.size == newer.size and older.root != newer.root:
            report.refused(after, f"it has another root for {newer.size} entries than {before}: the service signed a fork")
        elif older.size == newer.size:
            report.proven(f"{after} and {before} are of one history", "their root")
        elif not log:
            report.open(f"that the logs of {older.size} and {newer.size} entries are one: read the tiles with --log")
        else:
            try:
                check_growth(older, newer, lambda path: _fetch(log, path))
            except (AtelierError, HTTPError) as error:
                report.refused(before, f"the tiles do not show that it grew from {sizes}: {error}")
            else:
                report.proven(f"{before} and {after} are of one history, which grew from {sizes}", "the tiles of the log")


def _fetch(log: str, path: str) -> bytes:
    with urlopen(f"{log.rstrip('/')}/{path}", timeout=60) as response:
        return response.read()


def _receipts(paths: list[str], keys: Any, issuer: str | None, entries: dict, report: Report, *, has_export: bool) -> dict[str, str]:
    """Returns the jobs of the outputs that valid receipts name, by SHA-256."""
    digests: dict[str, str] = {}
    for path in paths:
        try:
            receipt = _receipt_in(_text(path))
            said = verify_receipt(receipt, keys=keys, issuer=issuer)
        except AtelierError as error:
            report.refused(path, error.message)
            continue
        captured, refunded = said["credits"]["captured"], said["credits"]["refunded"]
        what = f"{said['iss']} says of {said['job_id']}: {said['state']}, {captured} credits captured, {refunded} refunded"
        report.proven(what, "the signature of the receipt")
        digests.update({output["sha256"]: said["job_id"] for output in said["outputs"]})
        if has_export:
            _entries_of(said, entries, report)
    return digests


def _entries_of(said: Any, entries: dict[str, dict], report: Report) -> None:
    """Compares a receipt with the entries of its job up to the last that it names. Later ones are of a later receipt."""
    what = f"the receipt of {said['job_id']}"
    for named in said["entries"]:
        entry = entries.get(named["entry_id"])
        if entry is None or entry["hash"] != named["hash"]:
            return report.refused(what, f"the ledger has no such entry {named['seq']}")
    last = max((named["seq"] for named in said["entries"]), default=0)
    own = [entry for entry in entries.values() if entry["job_id"] == said["job_id"] and entry["seq"] <= last]
    for kind, verb in (("reserve", "reserved"), ("debit", "captured"), ("refund", "refunded")):
        credits = sum(max(abs(entry["amount"]), entry["hold"]) for entry in own if entry["kind"] == kind)
        if credits != said["credits"][verb]:
            return report.refused(what, f"the ledger {verb} {credits} credits, and it says {said['credits'][verb]}")
    report.proven(f"the ledger charged {said['job_id']} as its receipt says", "the hashes of its entries")


def _file(path: str, digests: dict[str, str], report: Report) -> None:
    with open(path, "rb") as file:
        digest = hashlib.sha256(file.read()).hexdigest()
    if digest in digests:
        report.proven(f"{path} is an output of {digests[digest]}", "its SHA-256 in the receipt")
    else:
        report.refused(path, "it is an output of no valid receipt that was given")


def _receipt_in(text: str) -> str:
    if not text.lstrip().startswith("{"):
        return text.strip()
    holder = json.loads(text)
    return holder.get("result", holder)["receipt"]


def _json(path: str) -> dict:
    return json.loads(_text(path))


def _text(path: str) -> str:
    with open(path, encoding="utf-8") as file:
        return file.read()


if __name__ == "__main__":
    sys.exit(main())
