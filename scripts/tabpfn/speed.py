"""Time the program's library beside the `tabpfn` package.

    python -m scripts.tabpfn.speed --checkpoint full.ckpt --bundle bundles/full

What the columns are: see scripts/bundle/sidebyside.py. The package runs in float32 without
its hash column, once as it is by default and once with its cache of the context
(`fit_with_cache`). The bundle should be exported with --no-fingerprint.
"""

from __future__ import annotations

import warnings
from pathlib import Path

from scripts.bundle.sidebyside import Laps, run, tables

SIDES = {
    "tabpfn": {"Single": 0, "Mode": "fit_preprocessors"},
    "tabpfn, fit_with_cache": {"Mode": "fit_with_cache"},
}


def package_job(job: dict) -> None:
    """Run the package in this process; fit reads the weights too, so they are read before."""
    import torch

    from scripts.tabpfn.stages import regressor

    warnings.simplefilter("ignore")
    torch.set_num_threads(job["Threads"])
    x, y, queries = tables(job)
    path, laps = Path(job["Checkpoint"]), Laps()
    model = regressor(path, job["Members"], 0, False, job["Mode"], [])
    laps.time("open", lambda: regressor(path, 1, 0, False, "low_memory", []).fit(x[:5], y[:5]))

    def predict(rows) -> None:
        model.predict(rows, output_type="mean")

    laps.both(lambda: model.fit(x, y), predict, queries, job["Single"])


if __name__ == "__main__":
    run(__doc__, SIDES, package_job)
