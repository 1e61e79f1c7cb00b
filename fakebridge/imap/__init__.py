"""IMAP without I/O: octets to requests, requests to answers. Nothing here opens a socket or looks at a clock."""
