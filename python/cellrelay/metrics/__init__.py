"""Metrics: their names as types, their ranges, and the objects that they describe."""
