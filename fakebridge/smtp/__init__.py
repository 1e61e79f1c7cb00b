"""The SMTP side of Bridge: sessions on aiosmtpd with Bridge's texts, and what becomes of a message that is sent (bridge-behaviour 7)."""
