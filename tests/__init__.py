"""The project's own tests, by level: unit, server over STDIO, fakebridge, and the lints of the repository itself."""
