"""Client of the Atelier API."""

from .callbacks import verify_callback
from .client import Atelier
from .errors import AtelierError, AtelierJobError
from .ledger import LedgerProof, check_ledger

__all__ = ["Atelier", "AtelierError", "AtelierJobError", "LedgerProof", "check_ledger", "verify_callback"]
