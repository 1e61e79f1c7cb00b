"""Outgoing attachments: uploaded in chunks, checked, held for one draft."""
