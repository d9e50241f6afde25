"""One request after the other: the key, the envelope of answers, errors with a code, and retries of what may be retried."""

from __future__ import annotations

import http.client
import json
import random
import time
import urllib.error
import urllib.parse
import urllib.request
from dataclasses import dataclass
from typing import Any, Callable, Mapping, TypeVar

from .errors import AtelierError, error_of

T = TypeVar("T")


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """No redirects: the service sends none, and a key must not go where someone else points."""

    def redirect_request(self, *_args: Any) -> None:
        return None


OPENER = urllib.request.build_opener(_NoRedirects)

#: Above the 60 seconds for which the service holds an answer.
SILENCE_SECONDS = 90.0
FIRST_PAUSE_SECONDS = 0.25
LONGEST_PAUSE_SECONDS = 8.0
#: Said where the request was not carried out, so a repeat is always safe.
NOT_DONE = (429, 503)
GONE_WRONG = (*NOT_DONE, 408, 500, 502, 504)
#: What a connection that breaks is told by, wherever it breaks.
LOST = (OSError, http.client.HTTPException)


@dataclass(frozen=True)
class Answer:
    status: int
    headers: Mapping[str, str]
    data: bytes

    def json(self) -> Any:
        try:
            return json.loads(self.data) if self.data else None
        except ValueError:
            return None


class Connection:
    def __init__(self, base_url: str, api_key: str | None, retry_for_seconds: float) -> None:
        self._base_url = base_url
        self._api_key = api_key
        self.retry_for_seconds = retry_for_seconds

    def result(self, path: str, **sending: Any) -> Any:
        """The result of an answer ``{ok: true, result}``."""
        return self.json(path, **sending)["result"]

    def json(self, path: str, **sending: Any) -> Any:
        """A whole JSON answer."""
        answer = self.answer(path, **sending)
        body = answer.json()
        if body is None and answer.status != 204:
            raise AtelierError(
                "unreadable_answer",
                "The answer is not JSON. Is base_url the address of the service?",
                status=answer.status,
                request_id=answer.headers.get("x-request-id"),
            )
        return body

    def answer(self, path: str, *, only_once: bool = False, **sending: Any) -> Answer:
        """A whole answer. With ``only_once`` a repeat after a lost connection could do it twice, so there is none."""

        def attempt() -> Answer:
            with self.open(path, **sending) as response:
                return Answer(response.status, lower_case(response.headers), response.read())

        return self._patiently(attempt, only_once)

    def open(
        self,
        path: str,
        *,
        method: str = "GET",
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        data: Any = None,
        headers: Mapping[str, str] | None = None,
        with_key: bool = True,
        silence_seconds: float = SILENCE_SECONDS,
    ) -> http.client.HTTPResponse:
        """An answer whose body is still to be read; tried once. Raises an AtelierError if it is not a success.

        ``with_key`` is false for an address that carries its own signature, perhaps at another host: the key is not sent there.
        """
        url = urllib.parse.urljoin(self._base_url, path)
        if query:
            url += "?" + urllib.parse.urlencode(_flat(query), doseq=True)
        sent = {"accept": "application/json", **(headers or {})}
        if with_key and self._api_key is not None:
            sent["authorization"] = f"Bearer {self._api_key}"
        if body is not None:
            data = json.dumps(body).encode()
            sent["content-type"] = "application/json"
        request = urllib.request.Request(url, data=data, headers=sent, method=method)
        try:
            return OPENER.open(request, timeout=silence_seconds)
        except urllib.error.HTTPError as refusal:
            with refusal:
                told = lower_case(refusal.headers)
                raise error_of(refusal.code, told, Answer(refusal.code, told, refusal.read()).json()) from None

    def _patiently(self, attempt: Callable[[], T], only_once: bool) -> T:
        last_at = time.monotonic() + self.retry_for_seconds
        attempts = 0
        while True:
            try:
                return attempt()
            except (AtelierError, *LOST) as error:
                failure = to_failure(error)
                wait = max(pause_seconds(attempts), failure.retry_after or 0)
                if not may_repeat(failure, only_once) or time.monotonic() + wait > last_at:
                    raise failure from (None if failure is error else error)
            attempts += 1
            time.sleep(wait)


def pause_seconds(attempts: int) -> float:
    """Twice as long each time, and different for clients that lost the service together."""
    longest = min(LONGEST_PAUSE_SECONDS, FIRST_PAUSE_SECONDS * 2**attempts)
    return longest * random.uniform(0.5, 1)


def may_repeat(error: AtelierError, only_once: bool = False) -> bool:
    """Whether trying again may succeed, and cannot do the same thing twice."""
    if error.status is None:
        return error.code == "connection_failed" and not only_once
    return error.status in (NOT_DONE if only_once else GONE_WRONG)


def to_failure(error: BaseException) -> AtelierError:
    """What is raised about a connection, by one name."""
    if isinstance(error, AtelierError):
        return error
    return AtelierError("connection_failed", f"The connection to the service failed: {error}")


def lower_case(headers: Any) -> dict[str, str]:
    return {name.lower(): value for name, value in headers.items()}


def _flat(query: Mapping[str, Any]) -> dict[str, Any]:
    """metadata={"order": "7"} is metadata[order]=7; what is None is left out."""
    flat: dict[str, Any] = {}
    for name, value in query.items():
        if isinstance(value, Mapping):
            flat.update({f"{name}[{inner}]": one for inner, one in value.items()})
        elif value is not None:
            flat[name] = value
    return flat
