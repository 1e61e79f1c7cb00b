"""One file per tool: its name, words, models, annotations, refusals and handler."""
