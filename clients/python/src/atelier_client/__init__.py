"""Client of the Atelier API."""

from .callbacks import verify_callback, verify_event
from .client import Atelier
from .errors import AtelierError, AtelierJobError, AtelierWorkflowError
from .ledger import LedgerProof, check_ledger
from .log import Checkpoint, Statement, check_growth, open_checkpoint, verify_log_proof, verify_solvency_proof
from .receipts import verify_receipt

__all__ = [
    "Atelier",
    "AtelierError",
    "AtelierJobError",
    "AtelierWorkflowError",
    "Checkpoint",
    "LedgerProof",
    "Statement",
    "check_growth",
    "check_ledger",
    "open_checkpoint",
    "verify_callback",
    "verify_event",
    "verify_log_proof",
    "verify_receipt",
    "verify_solvency_proof",
]
