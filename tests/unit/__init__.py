"""What conformance cases can't reach, tried without a process."""
