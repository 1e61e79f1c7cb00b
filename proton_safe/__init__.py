"""Proton Safe: read, search and prepare drafts in Proton Mail through Proton Mail Bridge, and nothing else.

Importing this package, or any module in it, does nothing: no folder, no socket, no environment is touched.
"""

__version__ = "0.1.0"
