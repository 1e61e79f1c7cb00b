"""Reading from and appending to Bridge over IMAP on loopback; answers become typed data items."""
