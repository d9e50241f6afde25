"""What happens to a job, as it happens: Server-Sent Events that resume where they broke off."""

from __future__ import annotations

import http.client
import json
import time
import urllib.parse
from typing import TYPE_CHECKING, Iterator

from .connection import LOST, Connection, may_repeat, pause_seconds, to_failure
from .errors import AtelierError

if TYPE_CHECKING:
    from .models import JobEvent

#: The service says something every 15 seconds at least.
SILENCE_SECONDS = 45.0
#: States in which a job stays; the last event of each job is of the type with the same name.
ENDED = ("completed", "failed", "cancelled")


def watch_events(connection: Connection, job_id: str, after: int) -> Iterator[JobEvent]:
    """Ends after the job's last event, however often the connection is lost on the way."""
    last_seq = after
    attempts, lost_at = 0, None
    while True:
        wait = 0.0
        try:
            with _open_stream(connection, job_id, last_seq) as response:
                if response.status == 204:
                    return
                for event in _read_events(response):
                    last_seq = event["seq"]
                    attempts, lost_at = 0, None
                    yield event
                    if event["type"] in ENDED:
                        return
            # A stream that ends before its job does was ended by a server that goes down.
        except (AtelierError, *LOST) as error:
            failure = to_failure(error)
            lost_at = lost_at or time.monotonic()
            wait = failure.retry_after or 0.0
            is_patient = time.monotonic() + wait <= lost_at + connection.retry_for_seconds
            if not may_repeat(failure) or not is_patient:
                raise failure from (None if failure is error else error)
        time.sleep(max(wait, pause_seconds(attempts)))
        attempts += 1


def _open_stream(connection: Connection, job_id: str, after: int) -> http.client.HTTPResponse:
    return connection.open(
        f"/api/jobs/{urllib.parse.quote(job_id, safe='')}/events",
        headers={"accept": "text/event-stream", "last-event-id": str(after)},
        silence_seconds=SILENCE_SECONDS,
    )


def _read_events(response: http.client.HTTPResponse) -> Iterator[JobEvent]:
    data: list[str] = []
    for line in response:
        text = line.decode().rstrip("\r\n")
        if text.startswith("data:"):
            data.append(text[5:].lstrip())
        elif text == "" and data:
            yield json.loads("\n".join(data))
            data = []
