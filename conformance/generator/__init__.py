"""Writes the cases that follow from figures alone: bounds, types, unknown arguments, a busy server, a Bridge in trouble.

The files are data like all others; lint sees to it that they are fresh.
"""
