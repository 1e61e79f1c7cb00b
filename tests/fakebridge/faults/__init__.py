"""Every kind of fault, seen on the wire."""
