"""Verifies Ed25519 signatures (RFC 8032, section 5.1.7), which Python's standard library cannot. It reads public values only, so its
time may depend on them."""

from __future__ import annotations

import hashlib

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT_OF_MINUS_1 = pow(2, (P - 1) // 4, P)

#: Extended homogeneous coordinates: X, Y, Z, T.
Point = tuple[int, int, int, int]


def is_signed(public_key: bytes, signature: bytes, message: bytes) -> bool:
    if len(public_key) != 32 or len(signature) != 64:
        return False
    key, commitment = _point(public_key), _point(signature[:32])
    scalar = int.from_bytes(signature[32:], "little")
    if key is None or commitment is None or scalar >= ORDER:
        return False
    digest = hashlib.sha512(signature[:32] + public_key + message).digest()
    challenge = int.from_bytes(digest, "little") % ORDER
    left, right = _times(scalar, BASE), _add(commitment, _times(challenge, key))
    return (left[0] * right[2] - right[0] * left[2]) % P == 0 and (left[1] * right[2] - right[1] * left[2]) % P == 0


def _point(encoded: bytes) -> Point | None:
    y = int.from_bytes(encoded, "little")
    sign, y = y >> 255, y & (2**255 - 1)
    x = _x_of(y, sign) if y < P else None
    return None if x is None else (x, y, 1, x * y % P)


def _x_of(y: int, sign: int) -> int | None:
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P != 0:
        x = x * ROOT_OF_MINUS_1 % P
    if (x * x - square) % P != 0 or (x == 0 and sign):
        return None
    return P - x if x & 1 != sign else x


def _add(a: Point, b: Point) -> Point:
    first, second = (a[1] - a[0]) * (b[1] - b[0]) % P, (a[1] + a[0]) * (b[1] + b[0]) % P
    third, fourth = 2 * a[3] * b[3] * D % P, 2 * a[2] * b[2] % P
    e, f, g, h = second - first, fourth - third, fourth + third, second + first
    return (e * f % P, g * h % P, f * g % P, e * h % P)


def _times(scalar: int, point: Point) -> Point:
    result: Point = (0, 1, 1, 0)
    while scalar > 0:
        if scalar & 1:
            result = _add(result, point)
        point, scalar = _add(point, point), scalar >> 1
    return result


_BASE_Y = 4 * pow(5, P - 2, P) % P
_BASE_X = _x_of(_BASE_Y, 0) or 0
BASE: Point = (_BASE_X, _BASE_Y, 1, _BASE_X * _BASE_Y % P)
