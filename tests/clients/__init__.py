"""`make clients`: MCP clients that others wrote, each against the real server process and a simulated Bridge. Not part of `make test`."""
