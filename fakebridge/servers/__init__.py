"""The listeners. Only this package (and the process around it) knows asyncio, sockets and TLS."""
