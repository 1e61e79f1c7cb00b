"""The parsers of mail octets: known answers per rule, promises about all other input, and costs counted."""
