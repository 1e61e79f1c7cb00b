"""Programs that are measured beside the server. They run in the measured environment and import nothing of this package."""
