"""Mutated mails through the real server: whatever a mail says, the outcome is a result or a refusal that says something of the mail."""
