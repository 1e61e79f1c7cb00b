"""What the search finds and what it does not: a generated mailbox with known answers, asked through the real server."""
