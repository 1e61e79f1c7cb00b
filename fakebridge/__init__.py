"""fakebridge: a simulated Proton Mail Bridge on loopback, faithful to the octet, for tests and demonstrations.

The public way in is the command line (`python -m fakebridge serve --world FILE`); `fakebridge.serve` has the same as a coroutine.
"""
