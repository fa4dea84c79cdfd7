"""Classifiers: their scores and cards."""
