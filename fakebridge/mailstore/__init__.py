"""The local store of Bridge: mailboxes, UIDs, flags, and what each session has been told. No account rules, no wire format."""
