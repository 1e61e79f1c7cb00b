"""The way out: cleaning, cutting, counting and fencing what a sender wrote."""
