"""Witnesses of the public log: what their cosignatures say of a checkpoint (c2sp.org/tlog-cosignature)."""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from dataclasses import dataclass
from datetime import datetime, timezone

from .ed25519 import is_signed
from .errors import AtelierError

_KEY = re.compile(r"([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]{44})")
_COSIGNATURE = b"\4"
_LATEST = int(datetime.max.replace(tzinfo=timezone.utc).timestamp())


@dataclass(frozen=True)
class Witness:
    name: str
    key_id: bytes
    public_key: bytes


def parse_witness(key: str) -> Witness:
    """Reads a verifier key such as witness.example+1a2b3c4d+BA…. Raises a ValueError if it is none of cosignature/v1."""
    found = _KEY.fullmatch(key)
    encoded = base64.b64decode(found[3]) if found else b""
    if not found or encoded[:1] != _COSIGNATURE or len(encoded) != 33:
        raise ValueError(f"{key[:80]} is not the verifier key of a witness (name+id+key, cosignature/v1)")
    key_id = hashlib.sha256(found[1].encode() + b"\n" + encoded).digest()[:4]
    if key_id.hex() != found[2]:
        raise ValueError(f"{key[:80]} has an id that is not that of its name and key")
    return Witness(found[1], key_id, encoded[1:])


def cosigned_at(note: str, witness: Witness) -> datetime | None:
    """Returns when the witness cosigned a checkpoint; None if it did not. Raises an AtelierError with the code log_refused for a cosignature
    that is not valid, or of another key with the name of the witness."""
    text, _, lines = note.rpartition("\n\n")
    other = False
    for name, signed in re.findall("^\u2014 (\\S+) (\\S+)$", lines, re.MULTILINE):
        try:
            signature = base64.b64decode(signed, validate=True)
        except binascii.Error:
            continue
        if name != witness.name or signature[:4] != witness.key_id:
            other = other or name == witness.name
            continue
        seconds = int.from_bytes(signature[4:12], "big")
        message = f"cosignature/v1\ntime {seconds}\n{text}\n".encode()
        if not 0 < seconds <= _LATEST or not is_signed(witness.public_key, signature[12:], message):
            raise _refused(f"The cosignature of {witness.name} is not valid for this checkpoint.")
        return datetime.fromtimestamp(seconds, timezone.utc)
    if other:
        raise _refused(f"The cosignature of {witness.name} is by another key than the one given.")
    return None


def _refused(why: str) -> AtelierError:
    return AtelierError("log_refused", f"The log cannot be trusted. {why}")
