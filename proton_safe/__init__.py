"""Proton Safe: read, search and prepare drafts in Proton Mail through Proton Mail Bridge, and nothing else.

Importing this package, or any module in it, does nothing: no folder, no socket, no environment is touched.
"""

from typing import Final

__version__: Final = "0.1.0"
