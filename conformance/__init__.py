"""The black-box suite: cases as data, a runner over STDIO, evidence from fakebridge's journal.

Nothing in this package knows the server under test beyond its command line, its tools' names and their results. What it needs to know
about one server stands in `adapters/`.
"""
