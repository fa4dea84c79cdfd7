"""The levels of posterior surfaces: see docs/design/posterior.md."""

LEVELS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99)
LOWER = (0.0025, 0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.125)
LOWER += (0.15, 0.175, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45)
POSTERIOR_LEVELS = LOWER + (0.5,) + tuple(round(1 - a, 4) for a in reversed(LOWER))
