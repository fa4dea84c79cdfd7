"""Time the program's library beside the `tabpfn` package.

    python -m scripts.export.tabpfn.speed --checkpoint full.ckpt --bundle bundles/full
    python -m scripts.export.tabpfn.speed --checkpoint classes.ckpt --bundle bundles/classes \\
        --classes 2

What the columns are: see scripts/export/bundle/sidebyside.py. The package runs without its hash
column, without and with its cache of the context (`fit_with_cache`), in float32 and, as package
9.2.0 does by default on processors that have it, in bfloat16. The bundle should be exported with
--no-fingerprint.
"""

from __future__ import annotations

import warnings
from pathlib import Path

from scripts.export.bundle.sidebyside import Laps, run, tables

SIDES = {
    "tabpfn": {"Single": 0, "Mode": "fit_preprocessors", "Half": False},
    "tabpfn, fit_with_cache": {"Mode": "fit_with_cache", "Half": False},
    "tabpfn, bfloat16": {"Single": 0, "Mode": "fit_preprocessors", "Half": True},
    "tabpfn, bfloat16, cache": {"Mode": "fit_with_cache", "Half": True},
}


def package_job(job: dict) -> None:
    """Run the package in this process; fit reads the weights too, so they are read before."""
    import torch

    from scripts.export.tabpfn.stages import TabPFNClassifier, TabPFNRegressor, estimator

    warnings.simplefilter("ignore")
    torch.set_num_threads(job["Threads"])
    x, y, queries = tables(job)
    path, laps = Path(job["Checkpoint"]), Laps()
    kind = TabPFNClassifier if job["Classes"] else TabPFNRegressor
    model = estimator(kind, path, job["Members"], 0, False, job["Mode"], [])
    if job["Half"]:
        model.set_params(inference_precision="autocast")
    few = y.argsort()[:: len(y) // 5]  # rows of every class
    laps.time(
        "open", lambda: estimator(kind, path, 1, 0, False, "low_memory", []).fit(x[few], y[few])
    )

    def predict(rows) -> None:
        if job["Classes"]:
            model.predict_proba(rows)
        else:
            model.predict(rows, output_type="mean")

    laps.both(lambda: model.fit(x, y), predict, queries, job["Single"])


if __name__ == "__main__":
    run(__doc__, SIDES, package_job)
