"""Whether a callback is genuine: signed with the account's secret, over these very bytes, a moment ago."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from typing import TYPE_CHECKING, Any, Iterable, Mapping, Sequence

from .ed25519 import is_signed
from .errors import AtelierError

if TYPE_CHECKING:
    from .models import AccountEventDelivery, Callback, WorkflowCallback

PREFIX = "whsec_"


def verify_callback(
    *,
    secret: str | Sequence[str],
    headers: Mapping[str, str],
    body: bytes | str,
    tolerance_seconds: float = 300,
) -> Callback | WorkflowCallback:
    """What the callback says. Raises an AtelierError with the code callback_refused if it is not genuine.

    ``secret`` is the account's callback secret, ``whsec_…``; while it is being rotated, both the new and the old one.
    ``body`` is the body as it arrived, before anything has parsed it. A test event has the event ``test`` and no job; the end
    of a workflow has ``workflow`` in the place of ``job``.
    """
    signed, signatures, raw = _read_signed(headers, body, tolerance_seconds)
    if _has_secret(secret, signed, signatures):
        return json.loads(raw)
    raise _refused("No signature of it was made with this secret over this body.")


def verify_event(
    *,
    account_id: str,
    secret: str | Sequence[str] = (),
    keys: Iterable[Mapping[str, Any]] = (),
    headers: Mapping[str, str],
    body: bytes | str,
    tolerance_seconds: float = 300,
) -> AccountEventDelivery:
    """The message that an endpoint of your account received. Raises an AtelierError with the code callback_refused if it is not genuine.

    It needs the ``secret`` of the endpoint, or the public ``keys`` of the service from ``receipt_keys``. Those sign for all accounts,
    so a message of another account than ``account_id`` is refused.
    """
    signed, signatures, raw = _read_signed(headers, body, tolerance_seconds)
    if not _has_secret(secret, signed, signatures) and not _has_key(keys, signed, signatures):
        raise _refused("No signature of it was made with this key over this body.")
    event = json.loads(raw)
    if event.get("account_id") != account_id:
        raise _refused(f"It is for the account {event.get('account_id')}, not {account_id}.")
    return event


def _read_signed(headers: Mapping[str, str], body: bytes | str, tolerance_seconds: float) -> tuple[bytes, list[str], bytes]:
    raw = body.encode() if isinstance(body, str) else bytes(body)
    lower = {name.lower(): value for name, value in headers.items()}
    delivery, timestamp, signatures = (
        _header(lower, name) for name in ("webhook-id", "webhook-timestamp", "webhook-signature")
    )
    if not timestamp.isdigit() or abs(time.time() - int(timestamp)) > tolerance_seconds:
        raise _refused("It was signed too long ago, or this machine's clock is wrong.")
    return f"{delivery}.{timestamp}.".encode() + raw, signatures.split(" "), raw


def _has_secret(secret: str | Sequence[str], signed: bytes, signatures: Sequence[str]) -> bool:
    for one in [secret] if isinstance(secret, str) else secret:
        mac = hmac.new(_key(one), signed, hashlib.sha256).digest()
        expected = b"v1," + base64.b64encode(mac)
        if any(hmac.compare_digest(expected, given.encode()) for given in signatures):
            return True
    return False


def _has_key(keys: Iterable[Mapping[str, Any]], signed: bytes, signatures: Sequence[str]) -> bool:
    given = [one[4:] for one in signatures if re.fullmatch(r"v1a,[A-Za-z0-9+/]{86}==", one)]
    public = [base64.urlsafe_b64decode(key["x"] + "=") for key in keys]
    return any(is_signed(key, base64.b64decode(one), signed) for key in public for one in given)


def _key(secret: str) -> bytes:
    """The bytes that the part after whsec_ stands for."""
    try:
        key = base64.b64decode(secret[len(PREFIX) :], validate=True) if secret.startswith(PREFIX) else b""
    except binascii.Error:
        key = b""
    if not key:
        raise ValueError("secret must be the webhook secret of your account. It begins with whsec_.")
    return key


def _header(headers: Mapping[str, str], name: str) -> str:
    value = headers.get(name)
    if not value:
        raise _refused(f"It has no header {name}.")
    return value


def _refused(why: str) -> AtelierError:
    return AtelierError("callback_refused", f"The webhook cannot be trusted. {why}")
