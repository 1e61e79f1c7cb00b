"""What handlers work with: the parts of one running server, made on first use and closed once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from proton_safe.call import Clock
    from proton_safe.config import Config
    from proton_safe.extract.extractor import Extractor
    from proton_safe.imap.pool import Pool
    from proton_safe.provenance import Provenance
    from proton_safe.references import References
    from proton_safe.staging.store import StagingStore


@dataclass(frozen=True, slots=True)
class Engine:
    """The parts of one running server."""

    config: Config
    clock: Clock
    pool: Pool
    staging: StagingStore
    extractor: Extractor
    references: References
    provenance: Provenance

    def close(self) -> None:
        """End connections and children, sweep staging. May be called more than once."""
        self.pool.close()
        self.extractor.close()
        self.staging.close()
