"""Text out of attachments, in a child process that can be killed."""
