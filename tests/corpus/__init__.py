"""Other people's mails and what their projects say of them, read through the real server. The data stays outside the repository."""
