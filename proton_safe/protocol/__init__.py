"""The MCP side: the wire on file descriptors 0 and 1, and the dispatch of calls. Knows no tool."""
