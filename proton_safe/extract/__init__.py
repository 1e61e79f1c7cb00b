"""Text out of attachments, in a child process that can be killed.

`Extractor` is the entry: it owns the children. `worker` runs inside a child, `pdf_text` is the only importer of pypdf.
"""
