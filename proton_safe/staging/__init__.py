"""Outgoing attachments: uploaded in chunks, checked, held for one draft.

`StagingStore` is the entry. Nothing here outlives its process: bytes lie in a folder of this process alone, all else is in memory.
"""
