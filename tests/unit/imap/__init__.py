"""The IMAP side of the runtime: its parsers alone, and its connections against a scripted peer."""
