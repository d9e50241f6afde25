"""The signed receipts of jobs: they prove to anyone what the service said of a job."""

from __future__ import annotations

import base64
import json
import re
from typing import TYPE_CHECKING, Any, Iterable

from .ed25519 import is_signed
from .errors import AtelierError

if TYPE_CHECKING:
    from .models import ReceiptKey, ReceiptPayload


def verify_receipt(receipt: str, *, keys: Iterable[ReceiptKey], issuer: str | None) -> ReceiptPayload:
    """Returns what a receipt says. Raises an AtelierError with the code receipt_refused unless one of the keys signed it for this issuer.

    ``keys`` are those of the service, from ``receipt_keys`` or from a copy that you kept. ``issuer`` is the URL of the service;
    None accepts any.
    """
    parts = receipt.split(".")
    if len(parts) != 3:
        raise _refused(f"It has {len(parts)} parts separated by dots; a receipt has 3.")
    head = _json(parts[0])
    if head.get("alg") != "EdDSA":
        raise _refused(f"Its algorithm is {head.get('alg')}; receipts are signed with EdDSA.")
    if head.get("typ") != "atelier-receipt+jws":
        raise _refused(f"Its type is {head.get('typ')}, which is no receipt.")
    if "crit" in head:
        raise _refused("It has critical headers that this client does not know.")
    known = {key["kid"]: key["x"] for key in keys}
    kid = head.get("kid")
    if not isinstance(kid, str) or kid not in known:
        raise _refused(f"Its key {kid} is none of the {len(known)} keys given.")
    if not is_signed(_bytes(known[kid]), _bytes(parts[2]), f"{parts[0]}.{parts[1]}".encode()):
        raise _refused("Its signature is not valid: the receipt was changed, or another key signed it.")
    payload = _json(parts[1])
    if issuer is not None and payload.get("iss") != issuer:
        raise _refused(f"Its issuer is {payload.get('iss')}, not {issuer}.")
    return payload


def _json(part: str) -> Any:
    try:
        value = json.loads(_bytes(part))
    except ValueError:
        value = None
    if not isinstance(value, dict):
        raise _refused("A part of it is not a JSON object.")
    return value


def _bytes(text: str) -> bytes:
    if not re.fullmatch(r"[A-Za-z0-9_-]*", text) or len(text) % 4 == 1:
        raise _refused("A part of it is not base64url.")
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _refused(why: str) -> AtelierError:
    return AtelierError("receipt_refused", f"The receipt cannot be trusted. {why}")
