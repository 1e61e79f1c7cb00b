"""Faults on purpose: rules as data, and the plan that says which rule meets which command."""
