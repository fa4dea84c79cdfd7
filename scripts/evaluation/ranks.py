"""Where the truth stands in the posterior surface: fresh tables of the prior, by family.

    python scripts/evaluation/ranks.py --bundle BUNDLE --tables 200

For the mean, the median and the 0.9-quantile of every query row the posterior level of the
truth is looked up. Printed per family are the share inside the 90 % interval, its width in
standard deviations of the target, and the histogram of the levels in ten bins, which is
flat where the posterior is calibrated. `--without` shows nothing of a family that a network
never saw; train one with `train.py --without FAMILY` to measure that.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import defaultdict
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
from scipy.special import ndtr

SCRIPTS = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(SCRIPTS), str(SCRIPTS / "pretrain")]

from draw import Draw  # noqa: E402
from posterior import PosteriorSurface  # noqa: E402
from prior import sample_tables, sample_width  # noqa: E402
from reference import predict  # noqa: E402
from surface import BINS, Predictions  # noqa: E402
from tasks import PRIOR_SEED  # noqa: E402

QUERIES = 100
UNITS = ("coverage", "width")
