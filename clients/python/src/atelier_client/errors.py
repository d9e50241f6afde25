"""Everything that can go wrong, as one class with a code to decide by, and subclasses for jobs and workflows that were not done."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Mapping

if TYPE_CHECKING:
    from .models import Issue, Job, Workflow


class AtelierError(Exception):
    """``code`` is one of the service's, or one of this client: connection_failed, wait_timeout, unreadable_answer,
    callback_refused, job_failed, job_cancelled, workflow_failed, workflow_cancelled. More may come."""

    def __init__(
        self,
        code: str,
        message: str,
        *,
        status: int | None = None,
        hint: str | None = None,
        issues: list[Issue] | None = None,
        request_id: str | None = None,
        retry_after: float | None = None,
        job_id: str | None = None,
        workflow_id: str | None = None,
        body: Any = None,
    ) -> None:
        super().__init__(message)
        #: Stable name of what went wrong.
        self.code = code
        self.message = message
        #: HTTP status; None where there was no answer.
        self.status = status
        #: What to do next.
        self.hint = hint
        #: Which fields are wrong, where it is about fields.
        self.issues: list[Issue] = issues or []
        #: Names the request in the service's logs: what support wants to know.
        self.request_id = request_id
        #: Seconds after which the same request may succeed.
        self.retry_after = retry_after
        #: The job that it is about, where there is one already.
        self.job_id = job_id
        #: The workflow that it is about, where there is one already.
        self.workflow_id = workflow_id
        #: The whole answer, for what else it says, such as credits_required.
        self.body = body


class AtelierJobError(AtelierError):
    """A job that was waited for has failed or was cancelled. Its credits went back."""

    def __init__(self, job: Job) -> None:
        cancelled = job["state"] == "cancelled"
        error = job["error"]
        words = "The job was cancelled." if cancelled else error["message"] if error else "The job failed."
        super().__init__("job_cancelled" if cancelled else "job_failed", words, job_id=job["job_id"])
        self.job = job


class AtelierWorkflowError(AtelierError):
    """A workflow that was waited for has failed or was cancelled. What its steps had made stays; the credits of all others went back."""

    def __init__(self, workflow: Workflow) -> None:
        cancelled = workflow["state"] == "cancelled"
        words = "The workflow was cancelled."
        if not cancelled:
            failed = ((step["id"], step["error"]) for step in workflow["steps"])
            at, error = next(((at, error) for at, error in failed if error), ("one of its steps", None))
            words = f"The workflow failed at {at}: {error['message'] if error else 'no one said why.'}"
        code = "workflow_cancelled" if cancelled else "workflow_failed"
        super().__init__(code, words, workflow_id=workflow["workflow_id"])
        self.workflow = workflow


def error_of(status: int, headers: Mapping[str, str], body: Any) -> AtelierError:
    """The error for an answer that is not a success."""
    told = body if isinstance(body, dict) else {}
    wait = headers.get("retry-after", "")
    return AtelierError(
        told.get("code") or "unreadable_answer",
        told.get("message") or f"The service answered {status} without saying why.",
        status=status,
        hint=told.get("hint"),
        issues=told.get("issues"),
        request_id=told.get("request_id") or headers.get("x-request-id"),
        retry_after=float(wait) if wait.isdigit() else None,
        body=body,
    )
