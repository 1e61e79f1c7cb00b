"""A draft's hold on staged files: released when the draft fails, ended with the files when it succeeds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Callable

    from proton_safe.staging.upload import StagedFile


class Claim:
    """Use it as a context: leaving it gives the files back unless `destroy` was called."""

    def __init__(self, files: tuple[StagedFile, ...], *, release: Callable[[], None], destroy: Callable[[], bool]) -> None:
        self.files = files
        self._release = release
        self._destroy = destroy
        self._ended = False

    def destroy(self) -> bool:
        """End the files together with the claim; False if their octets could not be removed."""
        self._ended = True
        return self._destroy()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        if not self._ended:
            self._ended = True
            self._release()
