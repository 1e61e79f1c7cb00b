"""The command `proton-safe-mcp` as a person uses it."""
