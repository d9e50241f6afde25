"""Whether a callback is genuine: signed with the account's secret, over these very bytes, a moment ago."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from typing import TYPE_CHECKING, Mapping, Sequence

from .errors import AtelierError

if TYPE_CHECKING:
    from .models import Callback, WorkflowCallback

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
    raw = body.encode() if isinstance(body, str) else bytes(body)
    lower = {name.lower(): value for name, value in headers.items()}
    delivery, timestamp, signatures = (
        _header(lower, name) for name in ("webhook-id", "webhook-timestamp", "webhook-signature")
    )
    if not timestamp.isdigit() or abs(time.time() - int(timestamp)) > tolerance_seconds:
        raise _refused("It was signed too long ago, or this machine's clock is wrong.")
    signed = f"{delivery}.{timestamp}.".encode() + raw
    for one in [secret] if isinstance(secret, str) else secret:
        mac = hmac.new(_key(one), signed, hashlib.sha256).digest()
        expected = b"v1," + base64.b64encode(mac)
        if any(hmac.compare_digest(expected, given.encode()) for given in signatures.split(" ")):
            return json.loads(raw)
    raise _refused("No signature of it was made with this secret over this body.")


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
