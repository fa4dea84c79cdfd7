"""Time the `tabicl` package on a device: rows per second by rows in one call, as JSON.

    python -m scripts.tools.gpu.package --checkpoint net.ckpt --device cuda --members 8 \\
        --train train.csv --test test.csv --target y --batches 256,1024
"""

from __future__ import annotations

import argparse
import json
import time

import pandas as pd
import torch
from tabicl import TabICLRegressor


def rates(o: argparse.Namespace, half: bool) -> dict[int, float]:
    """Rows per second by rows in one call; products are in bfloat16 with `half` (autocast)."""
    train, test = pd.read_csv(o.train), pd.read_csv(o.test)
    estimator = TabICLRegressor(
        model_path=o.checkpoint,
        allow_auto_download=False,
        device=o.device,
        n_estimators=o.members,
        kv_cache="kv",
        use_amp=half,
    )
    estimator.fit(train.drop(columns=o.target), train[o.target])
    found = {}
    for batch in map(int, o.batches.split(",")):
        estimator.predict(test[:batch], output_type="raw_quantiles")  # what is made at first
        started = time.monotonic()
        for first in range(0, len(test), batch):
            estimator.predict(test[first : first + batch], output_type="raw_quantiles")
        found[batch] = len(test) / (time.monotonic() - started)
    return found


def main() -> None:
    p = argparse.ArgumentParser(description=__doc__)
    for name in ("checkpoint", "device", "train", "test", "target", "batches"):
        p.add_argument("--" + name, required=True)
    p.add_argument("--members", type=int, required=True)
    o = p.parse_args()
    found = {"float32": rates(o, False)}
    if o.device != "cpu":
        found |= {"bfloat16": rates(o, True), "card_mb": torch.cuda.max_memory_reserved() / 1e6}
    print(json.dumps(found))


if __name__ == "__main__":
    main()
