"""The client: one method for each thing that the API does, and one that does it all and waits."""

from __future__ import annotations

import math
import time
import urllib.parse
import uuid
from typing import TYPE_CHECKING, Any, BinaryIO, Callable, Iterator, Mapping, Sequence

from .connection import Connection
from .errors import AtelierError, AtelierJobError, AtelierWorkflowError
from .events import ENDED, watch_events
from .ledger import LedgerProof, check_ledger

if TYPE_CHECKING:
    from .models import (
        AccountEvent,
        Balance,
        CatalogProduct,
        Delivery,
        Estimate,
        GenerateResult,
        Job,
        JobEvent,
        LedgerEntry,
        LogProof,
        Me,
        Model,
        Output,
        Plan,
        ReceiptKey,
        SolvencyProof,
        Upload,
        VerifiedFile,
        Workflow,
        WorkflowResult,
    )

#: The longest for which the service holds an answer, and how much longer it may then be silent.
HOLD_SECONDS = 60
HOLD_GRACE_SECONDS = 15.0
UPLOAD_SILENCE_SECONDS = 15 * 60.0
WAIT_TIMEOUT_SECONDS = 15 * 60.0


class Atelier:
    def __init__(self, *, base_url: str, api_key: str | None = None, retry_for_seconds: float = 60) -> None:
        """``api_key`` is a generation key, ``atl_gen_…``; the catalog and the plans can be read without one.
        ``retry_for_seconds``: for how long a request is repeated while the service cannot be reached or is busy."""
        self._connection = Connection(base_url, api_key, retry_for_seconds)
        self._modalities: dict[str, str] = {}

    def generate(
        self,
        *,
        model: str,
        prompt: str,
        params: Mapping[str, Any] | None = None,
        modality: str | None = None,
        metadata: Mapping[str, str] | None = None,
        callback_url: str | None = None,
        max_credits: int | None = None,
        allow_partial: bool | None = None,
        expires_in: int | None = None,
        keep_days: int | None = None,
        idempotency_key: str | None = None,
    ) -> GenerateResult:
        """Makes a job and returns immediately. Repeats after a lost connection never make a second one.

        ``allow_partial=False`` makes the job fail, with a full refund, unless everything is delivered. A job that has not started after ``expires_in`` seconds fails as ``expired``, with a full refund.
        ``keep_days`` is how long its files are kept. ``modality``, if left out, is looked up by the model. ``idempotency_key`` is your own name for this request: calls
        that repeat it get the same job. If left out, each call makes one of its own.
        """
        body = self._to_body(model, prompt, params, modality, metadata, callback_url, max_credits, allow_partial, expires_in, keep_days)
        return self._generate(body, idempotency_key)

    def generate_and_wait(
        self,
        *,
        model: str,
        prompt: str,
        params: Mapping[str, Any] | None = None,
        modality: str | None = None,
        metadata: Mapping[str, str] | None = None,
        callback_url: str | None = None,
        max_credits: int | None = None,
        allow_partial: bool | None = None,
        expires_in: int | None = None,
        keep_days: int | None = None,
        idempotency_key: str | None = None,
        timeout_seconds: float = WAIT_TIMEOUT_SECONDS,
        on_event: Callable[[JobEvent], None] | None = None,
    ) -> Job:
        """Makes a job, waits for its end and returns it completed, whatever happens to connections and servers in that time.

        Raises an AtelierJobError if it fails or is cancelled, and an AtelierError ``wait_timeout`` if it takes too long;
        the job then goes on. ``on_event`` is told of each event of the job, from its first.
        """
        end_at = time.monotonic() + timeout_seconds
        body = self._to_body(model, prompt, params, modality, metadata, callback_url, max_credits, allow_partial, expires_in, keep_days)
        # With events to tell, the answer is not held: they come by a stream of their own.
        made = self._generate(body, idempotency_key, 0 if on_event else _seconds_until(end_at))
        if "events" in made and made["state"] in ENDED:
            return _completed(made)
        rest = max(0.0, end_at - time.monotonic())
        return self.wait(made["job_id"], timeout_seconds=rest, on_event=on_event)

    def wait(
        self,
        job_id: str,
        *,
        timeout_seconds: float = WAIT_TIMEOUT_SECONDS,
        on_event: Callable[[JobEvent], None] | None = None,
    ) -> Job:
        """Waits for the end of a job; raises as generate_and_wait does."""
        end_at = time.monotonic() + timeout_seconds
        if on_event:
            for event in self.events(job_id):
                on_event(event)
                if time.monotonic() >= end_at:
                    break
        job: Job | None = self._hold(_job_path(job_id), end_at)
        if job is None:
            raise _took_too_long("job", job_id=job_id)
        return _completed(job)

    def estimate(
        self,
        *,
        model: str,
        prompt: str,
        params: Mapping[str, Any] | None = None,
        modality: str | None = None,
        metadata: Mapping[str, str] | None = None,
        callback_url: str | None = None,
        max_credits: int | None = None,
        allow_partial: bool | None = None,
        expires_in: int | None = None,
        keep_days: int | None = None,
    ) -> Estimate:
        """What a generation would cost, and whether it would be accepted. Holds nothing."""
        body = self._to_body(model, prompt, params, modality, metadata, callback_url, max_credits, allow_partial, expires_in, keep_days)
        return self._connection.result("/api/v1/connect/estimate", method="POST", body=body)

    def events(self, job_id: str, *, after: int = 0) -> Iterator[JobEvent]:
        """What happens to a job, as it happens; ends after its last event. ``after`` is the seq of the last one you know."""
        return watch_events(self._connection, job_id, after)

    def job(self, job_id: str) -> Job:
        return self._connection.result(_job_path(job_id))

    def jobs(self, **filters: Any) -> Iterator[Job]:
        """All jobs, newest first. Filters: state, modality, model, since, until, metadata; limit is the size of the pages read."""
        return self._pages("/api/jobs", filters)

    def cancel(self, job_id: str) -> Job:
        """Asks for a job to be stopped. One that runs is ``cancelling`` at first."""
        return self._connection.result(f"{_job_path(job_id)}/cancel", method="POST")

    def run_workflow(
        self,
        *,
        steps: Sequence[Mapping[str, Any]],
        metadata: Mapping[str, str] | None = None,
        callback_url: str | None = None,
        callback_on_steps: bool | None = None,
        max_credits: int | None = None,
        idempotency_key: str | None = None,
    ) -> WorkflowResult:
        """Sends several generations that build on each other as one, and returns immediately. Repeats never make a second workflow.

        Each of the 2 to 20 steps has ``id``, ``model`` and ``prompt``, and may have ``params``, ``modality``, ``metadata`` and
        ``after``, a list of ids. A param that takes a file may be ``step:`` and the id of another step.
        """
        asked = {
            "steps": [self._to_step(step) for step in steps],
            "metadata": metadata,
            "callback_url": callback_url,
            "callback_on_steps": callback_on_steps,
            "max_credits": max_credits,
        }
        body = {name: value for name, value in asked.items() if value is not None}
        headers = {"idempotency-key": idempotency_key or str(uuid.uuid4())}
        return self._connection.result("/api/v1/connect/workflows", method="POST", body=body, headers=headers)

    def run_workflow_and_wait(
        self,
        *,
        steps: Sequence[Mapping[str, Any]],
        metadata: Mapping[str, str] | None = None,
        callback_url: str | None = None,
        callback_on_steps: bool | None = None,
        max_credits: int | None = None,
        idempotency_key: str | None = None,
        timeout_seconds: float = WAIT_TIMEOUT_SECONDS,
    ) -> Workflow:
        """Sends a workflow, waits for its end and returns it completed.

        Raises an AtelierWorkflowError if it fails or is cancelled, and an AtelierError ``wait_timeout`` if it takes too long;
        the workflow then goes on.
        """
        end_at = time.monotonic() + timeout_seconds
        made = self.run_workflow(
            steps=steps,
            metadata=metadata,
            callback_url=callback_url,
            callback_on_steps=callback_on_steps,
            max_credits=max_credits,
            idempotency_key=idempotency_key,
        )
        rest = max(0.0, end_at - time.monotonic())
        return self.wait_for_workflow(made["workflow_id"], timeout_seconds=rest)

    def wait_for_workflow(self, workflow_id: str, *, timeout_seconds: float = WAIT_TIMEOUT_SECONDS) -> Workflow:
        """Waits for the end of a workflow; raises as run_workflow_and_wait does."""
        end_at = time.monotonic() + timeout_seconds
        workflow: Workflow | None = self._hold(_workflow_path(workflow_id), end_at)
        if workflow is None:
            raise _took_too_long("workflow", workflow_id=workflow_id)
        if workflow["state"] != "completed":
            raise AtelierWorkflowError(workflow)
        return workflow

    def workflow(self, workflow_id: str) -> Workflow:
        return self._connection.result(_workflow_path(workflow_id))

    def workflows(self, **filters: Any) -> Iterator[Workflow]:
        """All workflows, newest first. Filters: state; limit is the size of the pages read."""
        return self._pages("/api/workflows", filters)

    def cancel_workflow(self, workflow_id: str) -> Workflow:
        """Asks for a workflow to be stopped: what has not started never does."""
        return self._connection.result(f"{_workflow_path(workflow_id)}/cancel", method="POST")

    def download(self, output: Output) -> bytes:
        """The bytes of a file that a job has made."""
        return self._connection.answer(output["url"], headers={"accept": "*/*"}, with_key=False).data

    def upload(self, file: bytes | BinaryIO) -> Upload:
        """Sends a file; its upload_id is the value of a param that takes one."""
        return self._connection.result(
            "/api/uploads",
            method="POST",
            data=file if isinstance(file, bytes) else file.read(),
            headers={"content-type": "application/octet-stream"},
            only_once=True,
            silence_seconds=UPLOAD_SILENCE_SECONDS,
        )

    def verify_file(self, file: bytes | BinaryIO) -> VerifiedFile:
        """Checks the Content Credentials of a file: who signed it, how it was made, and whether it has changed since.

        Needs no key."""
        return self._connection.result(
            "/api/outputs/verify",
            method="POST",
            data=file if isinstance(file, bytes) else file.read(),
            headers={"content-type": "application/octet-stream"},
            with_key=False,
            silence_seconds=UPLOAD_SILENCE_SECONDS,
        )

    def models(self, *, modality: str | None = None) -> list[Model]:
        return self._connection.result("/api/models", query={"modality": modality})["data"]

    def model(self, slug: str) -> Model:
        return self._connection.result(f"/api/models/{urllib.parse.quote(slug, safe='')}")

    def plans(self) -> list[Plan]:
        return self._connection.result("/api/plans")["data"]

    def me(self) -> Me:
        """Whose key it is, and what it may do."""
        return self._connection.result("/api/me")

    def balance(self) -> Balance:
        return self._connection.result("/api/credits/balance")

    def ledger(self, **filters: Any) -> Iterator[LedgerEntry]:
        """Every entry of the ledger, newest first. Filters: kind, job_id, since, until; limit is the size of the pages read."""
        return self._pages("/api/credits/ledger", filters)

    def verify_ledger(self) -> LedgerProof:
        """Reads the whole ledger and proves that nothing of it was changed, removed or cut off."""
        balance = self.balance()
        last_seq = balance["ledger_seq"]
        entries = [entry for entry in self.ledger(limit=100) if entry["seq"] <= last_seq]
        proof = check_ledger(reversed(entries))
        is_whole = proof.entries == last_seq and (last_seq == 0 or proof.last_hash == balance["ledger_hash"])
        if is_whole or not proof.ok:
            return proof
        return LedgerProof(False, proof.entries, proof.last_hash, broken_seq=min(proof.entries + 1, last_seq))

    def log_proof(self) -> LogProof | None:
        """The proof that the ledger is in the public log, which ``verify_log_proof`` checks; None while no checkpoint covers it."""
        return self._connection.result("/api/credits/proof")["proof"]

    def solvency_proof(self) -> SolvencyProof | None:
        """The proof that the balance is in the total of all balances, which ``verify_solvency_proof`` checks; None while there is none."""
        return self._connection.result("/api/credits/proof")["solvency"]

    def receipt(self, job_id: str) -> str | None:
        """The signed receipt of a job as it is now, a JWS that ``verify_receipt`` checks; None where the service signs none."""
        return self._connection.result(f"{_job_path(job_id)}/receipt")["receipt"]

    def receipt_keys(self) -> list[ReceiptKey]:
        """The public keys that sign receipts, and all that have signed any. Needs no key."""
        return self._connection.json("/.well-known/jwks.json")["keys"]

    def deliveries(self, **filters: Any) -> Iterator[Delivery]:
        """The callbacks of the account, those of the newest jobs first. Filters: status, job_id."""
        return self._pages("/api/callbacks", filters)

    def account_events(self, after: int = 0, *, limit: int | None = None) -> Iterator[AccountEvent]:
        """The events of the account after the one with this ``seq``, in order; 0: all of the last 30 days."""
        position: str | None = str(after)
        while position is not None:
            page = self._connection.result("/api/events", query={"after": position, "limit": limit})
            yield from page["data"]
            position = page["next_cursor"]

    def redeliver(self, job_id: str) -> Delivery:
        """Sends a job's callback once more."""
        path = f"{_job_path(job_id)}/callbacks/redeliver"
        return self._connection.result(path, method="POST", only_once=True)

    def test_callback(self, callback_url: str) -> Delivery:
        """Sends an event ``test`` to an address immediately, and returns what became of it."""
        body = {"callback_url": callback_url}
        return self._connection.result("/api/callbacks/test", method="POST", body=body, only_once=True)

    def products(self, **filters: Any) -> Iterator[CatalogProduct]:
        """The products of the catalog. Needs no key. Filters: search, category, subcategory, pricing_tier, price_min, price_max, tag, status, sort."""
        page = 1
        while True:
            found = self._connection.json("/api/catalog", query={"pageSize": 50, **filters, "page": page})
            yield from found["data"]
            if page >= found["total_pages"]:
                return
            page += 1

    def product(self, slug: str) -> CatalogProduct:
        return self._connection.json(f"/api/catalog/{urllib.parse.quote(slug, safe='')}")["data"]

    def _generate(self, body: dict[str, Any], idempotency_key: str | None, hold_seconds: int = 0) -> Any:
        headers = {"idempotency-key": idempotency_key or str(uuid.uuid4())}
        if hold_seconds > 0:
            headers["prefer"] = f"wait={hold_seconds}"
        return self._connection.result("/api/v1/connect/generate", method="POST", body=body, headers=headers)

    def _to_body(
        self,
        model: str,
        prompt: str,
        params: Mapping[str, Any] | None,
        modality: str | None,
        metadata: Mapping[str, str] | None,
        callback_url: str | None,
        max_credits: int | None,
        allow_partial: bool | None,
        expires_in: int | None,
        keep_days: int | None,
    ) -> dict[str, Any]:
        asked = {
            "modality": modality or self._modality_of(model),
            "model_slug": model,
            "prompt": prompt,
            "params": params,
            "metadata": metadata,
            "callback_url": callback_url,
            "max_credits": max_credits,
            "allow_partial": allow_partial,
            "expires_in": expires_in,
            "keep_days": keep_days,
        }
        return {name: value for name, value in asked.items() if value is not None}

    def _to_step(self, step: Mapping[str, Any]) -> dict[str, Any]:
        rest = {name: value for name, value in step.items() if name != "model" and value is not None}
        return {"modality": step.get("modality") or self._modality_of(step["model"]), "model_slug": step["model"], **rest}

    def _hold(self, path: str, end_at: float) -> Any:
        """Asks again until it has ended; None when the time is over."""
        while True:
            seconds = _seconds_until(end_at)
            found = self._connection.result(
                path,
                query={"wait": seconds or None},
                silence_seconds=seconds + HOLD_GRACE_SECONDS,
            )
            if found["state"] in ENDED:
                return found
            if time.monotonic() >= end_at:
                return None

    def _modality_of(self, model: str) -> str:
        """A model never makes another kind of thing, so it is asked about once."""
        if model not in self._modalities:
            self._modalities[model] = self.model(model)["modality"]
        return self._modalities[model]

    def _pages(self, path: str, filters: Mapping[str, Any]) -> Iterator[Any]:
        cursor: str | None = None
        while True:
            page = self._connection.result(path, query={**filters, "cursor": cursor})
            yield from page["data"]
            cursor = page["next_cursor"]
            if cursor is None:
                return


def _job_path(job_id: str) -> str:
    return f"/api/jobs/{urllib.parse.quote(job_id, safe='')}"


def _workflow_path(workflow_id: str) -> str:
    return f"/api/workflows/{urllib.parse.quote(workflow_id, safe='')}"


def _took_too_long(what: str, *, job_id: str | None = None, workflow_id: str | None = None) -> AtelierError:
    return AtelierError(
        "wait_timeout",
        f"The {what} has not ended within the time it was waited for. It goes on.",
        hint="Wait for it again, or cancel it.",
        job_id=job_id,
        workflow_id=workflow_id,
    )


def _seconds_until(end_at: float) -> int:
    return max(0, min(HOLD_SECONDS, math.ceil(end_at - time.monotonic())))


def _completed(job: Job) -> Job:
    if job["state"] == "completed":
        return job
    raise AtelierJobError(job)
