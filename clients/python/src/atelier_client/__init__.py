"""Client of the Atelier API."""

from .callbacks import verify_callback
from .client import Atelier
from .errors import AtelierError, AtelierJobError, AtelierWorkflowError
from .ledger import LedgerProof, check_ledger
from .receipts import verify_receipt

__all__ = [
    "Atelier",
    "AtelierError",
    "AtelierJobError",
    "AtelierWorkflowError",
    "LedgerProof",
    "check_ledger",
    "verify_callback",
    "verify_receipt",
]
