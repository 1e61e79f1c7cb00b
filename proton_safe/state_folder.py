"""What a state folder that can't be used becomes: one refusal that the operator can act on, whatever the system said."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from proton_safe.refusals import Code, Refusal

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextlib.contextmanager
def in_state_folder() -> Iterator[None]:
    """Around work with files of the state folder: raises `state-folder-unusable` for any error of the system, without its text.

    A full disk, a missing folder, a link, a foreign owner and a file that others may read are alike here: nothing was kept.
    """
    try:
        yield
    except OSError:
        raise Refusal(Code.STATE_FOLDER_UNUSABLE) from None
