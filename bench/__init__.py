"""What is measured: figures and ratios of one run on one machine, each beside its floor. Nothing here is a test."""
