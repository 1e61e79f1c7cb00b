"""Mails of any octets in front of the real server: a world made on the spot, a simulated Bridge, a server process on pipes."""
