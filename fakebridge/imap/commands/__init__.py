"""One module per IMAP command: its arguments, how they are read, and how it is carried out."""
