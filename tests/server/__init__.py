"""The server as a process over STDIO."""
