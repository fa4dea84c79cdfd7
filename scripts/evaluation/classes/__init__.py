"""Classifiers: their scores, cards and limits."""
