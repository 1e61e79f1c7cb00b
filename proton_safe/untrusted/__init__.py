"""The one layer through which every string from a mail leaves: cleaned, counted, fenced."""
