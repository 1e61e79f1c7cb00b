"""Messages as octets: what Bridge reads, rebuilds and reports about them.

Everything here is a pure function over octets: no sockets, no threads, no clock, no files, no randomness. Text that Bridge holds as a
string of octets is held as ``str`` with ``surrogateescape``, so that octets that are not UTF-8 survive a round trip.
"""
