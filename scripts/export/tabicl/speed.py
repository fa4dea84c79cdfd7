"""Time the program's library beside the `tabicl` package.

    python -m scripts.export.tabicl.speed --checkpoint full.ckpt --bundle bundles/full
    python -m scripts.export.tabicl.speed --checkpoint classes.ckpt --bundle bundles/classes \\
        --classes 2

What the columns are: see scripts/export/bundle/sidebyside.py. The package runs without and with
its cache of the context (`kv_cache`), in float32 and in bfloat16 (`use_amp`).
"""

from __future__ import annotations

from scripts.export.bundle.sidebyside import Laps, run, tables

SIDES = {
    "tabicl": {"Single": 0, "Cache": False, "Half": False},
    "tabicl, kv_cache": {"Cache": "kv", "Half": False},
    "tabicl, bfloat16": {"Single": 0, "Cache": False, "Half": True},
    "tabicl, bfloat16, kv_cache": {"Cache": "kv", "Half": True},
}


def package_job(job: dict) -> None:
    """Run the package in this process; its cache is built by fit if there is one."""
    import torch
    from tabicl import TabICLClassifier, TabICLRegressor

    torch.set_num_threads(job["Threads"])
    x, y, queries = tables(job)
    estimator = (TabICLClassifier if job["Classes"] else TabICLRegressor)(
        model_path=job["Checkpoint"],
        allow_auto_download=False,
        device="cpu",
        n_estimators=job["Members"],
        kv_cache=job["Cache"],
        use_amp=job["Half"],
    )
    laps = Laps()

    def predict(rows) -> None:
        if job["Classes"]:
            estimator.predict_proba(rows)
        else:
            estimator.predict(rows, output_type="raw_quantiles")

    laps.time("open", estimator._load_model)
    estimator._load_model = lambda: None
    laps.both(lambda: estimator.fit(x, y), predict, queries, job["Single"])


if __name__ == "__main__":
    run(__doc__, SIDES, package_job)
