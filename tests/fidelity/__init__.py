"""Proof that a test notices when fakebridge stops imitating a behaviour.

`python -m tests.fidelity` takes each row of fakebridge/behaviours.json, runs its test against a fakebridge without that behaviour, and
wants it to fail. The departures here are what an ordinary IMAP server, or a careless imitation, would do instead.
"""
