"""Prior Labs' client of self-hosted servers: fit, predict, quantiles, model_id, JSON and
Parquet.
"""

from __future__ import annotations

import csv
import os
import struct
import subprocess
import sys
from pathlib import Path

import httpx
import numpy as np
import pandas as pd
from tabpfn_client.hosted import TabPFNClassifier, TabPFNRegressor

from scripts.tools.serve import tables

url, folder = f"http://{sys.argv[1]}/predict", Path(sys.argv[3])
FEATURES = ["area", "rooms", "town", "lift"]


def frame(path: Path) -> pd.DataFrame:
    """Read the features of a table; missing texts are None."""
    columns = tables.columns(path)
    return pd.DataFrame(
        {name: [None if v == "" else v for v in columns[name]] for name in FEATURES}
    )


def predicted(target: str, *flags: str) -> dict[str, list[str]]:
    """Predict with the program, and read its columns."""
    out = folder / "hosted.csv"
    subprocess.run(
        [
            os.environ["PFNAMP_PROGRAM"],
            "predict",
            folder / "train.csv",
            folder / "test.csv",
            "-y",
            target,
            "--ignore",
            "built," + ("kind" if target == "price" else "price"),
            "--chains",
            "50",
            "-o",
            out,
            "--quiet",
            *flags,
        ],
        check=True,
    )
    with open(out, newline="") as file:
        rows = list(csv.DictReader(file))
    return {name: [row[name] for row in rows] for name in rows[0]}


def same(got: np.ndarray, want: list[str]) -> None:
    """Compare numbers to the last bit."""
    bits = [struct.pack("<d", v) for v in np.asarray(got, dtype=float)]
    assert bits == [struct.pack("<d", float(text)) for text in want], (got[:3], want[:3])


with open(folder / "train.csv", newline="") as file:
    labels = list(csv.DictReader(file))
x, x_test = frame(folder / "train.csv"), frame(folder / "test.csv")
price = np.array([float(row["price"]) for row in labels])
kind = np.array([row["kind"] for row in labels])

want = predicted("price", "-f", "mean,q0.1,q0.5")
for payload in ("json", "parquet"):
    model = TabPFNRegressor(endpoint_url=url, payload_format=payload, use_kv_cache=True).fit(
        x, price
    )
    same(model.predict(x_test), want["mean"])
    quantiles = model.predict(x_test, output_type="quantiles", quantiles=[0.1, 0.5])
    same(quantiles[0], want["q0.1"])
    same(quantiles[1], want["q0.5"])
    again = TabPFNRegressor(endpoint_url=url, payload_format=payload, model_id=model.model_id_)
    same(again.predict(x_test, output_type="median"), want["q0.5"])

want = predicted("kind", "--model", "testdata/tabicl-classes")
for payload in ("json", "parquet"):
    model = TabPFNClassifier(endpoint_url=url, payload_format=payload).fit(x, kind)
    assert model.predict(x_test).tolist() == want["class"]
    for k, label in enumerate(model.classes_):
        same(model.predict_proba(x_test)[:, k], want[f"p={label}"])

try:
    TabPFNRegressor(endpoint_url=url, model_id="guess").predict(x_test)
except httpx.HTTPStatusError as error:
    assert error.response.json()["code"] == "unknown_model_id", error.response.text
else:
    raise AssertionError("an unknown model_id is answered")
