"""Texts for people: names and quantities as they are shown, tables, and hints at what was meant."""
