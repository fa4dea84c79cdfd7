"""Tables of the test, with all kinds of columns, and the comparison with what predict says."""

import csv
import random
import struct
import sys
from pathlib import Path

DATATYPES = {"area": "FP64", "rooms": "INT32", "town": "BYTES", "lift": "BOOL", "built": "BYTES"}
TARGETS = ("price", "kind")


def write(folder: Path) -> None:
    """Write train.csv and test.csv; test.csv has missing cells, a new category and a new date."""
    draw = random.Random(7)
    for name, rows in (("train", 120), ("test", 300)):
        with open(folder / f"{name}.csv", "w", newline="") as file:
            table = csv.writer(file)
            table.writerow([*DATATYPES, *(TARGETS if name == "train" else ())])
            for i in range(rows):
                area, rooms = 20 + 80 * draw.random(), draw.randint(1, 6)
                row = [
                    area,
                    rooms,
                    draw.choice(["Bath", "York", "Hull"]),
                    draw.choice(["true", "false"]),
                    f"{draw.randint(1950, 2020)}-03-0{draw.randint(1, 9)}",
                ]
                price = 3 * area + 20 * rooms + 10 * draw.random()
                if i % 7 == 1:
                    row[0] = ""
                if i % 7 == 2:
                    row[2] = ""
                if name == "test" and i % 7 == 3:
                    row[2], row[4] = "Atlantis", "2031-01-01"
                table.writerow(
                    row + ([price, "large" if rooms > 3 else "small"] if name == "train" else [])
                )


def columns(path: Path) -> dict:
    """Read the features of a table as arrays of numpy: a missing number is NaN, texts are bytes."""
    import numpy as np

    kinds = {
        "FP64": (lambda text: float(text or "nan"), np.float64),
        "INT32": (int, np.int32),
        "BOOL": (lambda text: text == "true", np.bool_),
        "BYTES": (str.encode, np.object_),
    }
    with open(path, newline="") as file:
        rows = list(csv.DictReader(file))
    found = {}
    for name, datatype in DATATYPES.items():
        read, kind = kinds[datatype]
        found[name] = np.array([read(row[name]) for row in rows], dtype=kind)
    return found


def expect(path: Path, outputs: dict[str, list]) -> None:
    """Compare outputs by name with a table that predict has written, numbers to the last bit."""
    with open(path, newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(outputs) == list(rows[0]), f"outputs {list(outputs)}, want {list(rows[0])}"
    for name, values in outputs.items():
        assert len(values) == len(rows), f"{name}: {len(values)} rows, want {len(rows)}"
        for i, (got, row) in enumerate(zip(values, rows)):
            if isinstance(got, bytes):
                got = got.decode()
            want = row[name]
            if not isinstance(got, str):
                got, want = struct.pack("<d", got), struct.pack("<d", float(want))
            assert got == want, f"{name}, row {i + 1}: {got!r}, want {want!r}"


if __name__ == "__main__":
    write(Path(sys.argv[1]))
