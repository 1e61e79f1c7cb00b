"""Tests of the SMTP side of fakebridge."""
