"""Dirties an easy table in forty-odd ways and asks who notices: pfnamp, pandas with
scikit-learn, DuckDB with scikit-learn. Writes a table of Markdown.

    python -m scripts.evaluation.dirty --program build/pfnamp [--program OTHER] > dirty.md

The table is y = 2x - z + noise, or a category or a truth value with that effect. An answer is
*right* if its RMSE is below 1.5 times that on the clean table, otherwise *refused* if the program
fails, *noted* if it names the column, *silent* if it does not.
"""

import argparse
import datetime
import io
import subprocess
import tempfile
import unicodedata
import warnings
from pathlib import Path

import numpy as np

MINUS, DASH, WIDE = "\u2212", "\u2013", str.maketrans("0123456789.-", "０１２３４５６７８９．－")
ARABIC = str.maketrans("0123456789.", "٠١٢٣٤٥٦٧٨٩٫")


def sign(before, after):
    return lambda v: before + f"{-v:.2f}" + after if v < 0 else f"{v:.2f}"


def indian(v):
    text = f"{abs(round(v * 1e6)):d}"
    head, tail = text[:-3], text[-3:]
    while len(head) > 2:
        head, tail = head[:-2], head[-2:] + "," + tail
    return ("-" if v < 0 else "") + (head + "," if head else "") + tail


def day(form):
    def write(v):
        t = datetime.datetime(2021, 6, 15, 15, 4, 5) + datetime.timedelta(days=round(200 * v))
        return t.strftime(form).replace("@d", str(t.day)).replace("@m", str(t.month))
    return write


NUMBERS = {  # every cell of x, in both tables
    "U+2212 for minus": lambda v: f"{v:.2f}".replace("-", MINUS),
    "en dash for minus": lambda v: f"{v:.2f}".replace("-", DASH),
    "full-width digits": lambda v: f"{v:.2f}".translate(WIDE),
    "Arabic digits": lambda v: f"{v:.2f}".translate(ARABIC),
    "minus at the end": sign("", "-"), "parentheses": sign("(", ")"),
    "dollars": lambda v: f"${v:.2f}".replace("$-", "-$"), "kilograms": lambda v: f"{v:.2f} kg",
    "CR and DR": lambda v: f"{abs(v):.2f} " + ("CR" if v < 0 else "DR"),
    "D exponents": lambda v: f"{v:.2E}".replace("E", "D"), "Indian groups": indian,
    "per cent": lambda v: f"{v:.2f}%", "apostrophe groups": lambda v: f"{v * 1e4:,.0f}".replace(
        ",", "'"),
    "ranges": lambda v: f"{v + 9:.2f}-{v + 9.1:.2f}", "prefix": lambda v: f"No. {v:.2f}",
    "10-Feb-2021": day("%d-%b-%Y"), "February 10, 2021": day("%B %d, %Y"),
    "02/10/21": day("%m/%d/%y"), "10.2.21": day("@d.@m.%y"), "2021/02/10": day("%Y/%m/%d"),
    "RFC 2822": day("%a, %d %b %Y %H:%M:%S +0100"), "12-hour clock": day("%m/%d/%Y %I:%M %p"),
    "zone names": day("%Y-%m-%d %H:%M:%S CET"), "dates with commas": day("%d,%m,%Y"),
}
CELLS = {  # a few cells of x, in both tables
    "?": 10, ".": 10, "n/a": 10, "-": 10, "<0.4": 5, "5.88*": 5, "~3": 5, "#DIV/0!": 10, "(blank)": 10,
    "see note": 1, "Total": 1, "-999999": 10, "99999": 3, "1e30": 1,
}
TRUTHS = {"T/F": "TF", "Y/N": "YN", "yes/no": ["yes", "no"], "on/off": ["on", "off"],
          "2 for true": "20"}
TOWNS = ["Oslo", "Málaga", "Bergen"]
OTHERS = {"lower case": str.lower, "a space behind": lambda t: t + " ",
          "NFD": lambda t: unicodedata.normalize("NFD", t), "new towns": lambda t: t[::-1]}


def tables():
    """Yields the kind, and header and rows of TRAIN and TEST: x, z, y; last the delimiters."""
    rng = np.random.default_rng(1)
    x = rng.uniform(-2, 2, 300).round(2)
    z, noise = rng.normal(size=(2, 300)).round(3)

    def pair(a, effect=2 * x, other=None, shift=0.0, ends=(",", ",")):
        y = effect - z + 0.2 * noise + shift
        rows = [[u, f"{v:.3f}", f"{w:.3f}"] for u, v, w in zip(a, z, y, strict=True)]
        for row, text in zip(rows[200:], (other or a)[200:], strict=True):
            row[0] = text
        return rows, y, ends

    plain = [f"{v:.2f}" for v in x]
    yield "clean", *pair(plain)
    for kind, write in NUMBERS.items():
        yield kind, *pair([write(v) for v in x])
    for text, n in CELLS.items():
        dirty = list(plain)
        for at in [*range(n), *range(200, 200 + n)]:
            dirty[at] = text
        yield f"`{text}` in {n} cells", *pair(dirty)
    truth = x > 0
    yield "clean truth values", *pair([str(v).upper() for v in truth], 2 * truth)
    for kind, (yes, no) in TRUTHS.items():
        yield f"TEST: {kind}", *pair([str(v).upper() for v in truth], 2 * truth,
                                     [yes if v else no for v in truth])
    town = (x > 0.7) * 1 + (x > -0.7)
    names = [TOWNS[k] for k in town]
    yield "clean towns", *pair(names, 2.0 * town)
    for kind, write in OTHERS.items():
        yield f"TEST: {kind}", *pair(names, 2.0 * town, [write(t) for t in names])
    yield "TEST: semicolons", *pair(plain, ends=(",", ";"))
    yield "TEST: decimal commas", *pair(plain, other=[p.replace(".", ",") for p in plain],
                                        ends=(",", ";"))
    yield "TEST: kilograms", *pair(plain, other=[p + " kg" for p in plain])
    yield "target + 1e15", *pair(plain, 128 * x, shift=1e15)


def write(folder, rows, ends):
    paths = []
    for name, part, end in (("train", rows[:200], ends[0]), ("test", rows[200:], ends[1])):
        width = 3 if name == "train" else 2
        text = "\n".join(end.join(f'"{c}"' if end in c else c for c in row[:width])
                         for row in [["x", "z", "y"], *part])
        paths.append(Path(folder, name + ".csv"))
        paths[-1].write_text(text + "\n", encoding="utf-8")
    return paths


def pfnamp(program):
    def run(train, test):
        done = subprocess.run([program, "predict", train, test, "--target", "y", "--threads", "1"],
                              capture_output=True, text=True, check=False)
        if done.returncode:
            raise ValueError(done.stderr)
        import pandas
        return pandas.read_csv(io.StringIO(done.stdout))["mean"], '"x"' in done.stderr
    return run


def sklearn(read):
    def run(train, test):
        from sklearn.compose import make_column_selector, make_column_transformer
        from sklearn.ensemble import HistGradientBoostingRegressor
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import OneHotEncoder
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            a, b = read(train), read(test)
            kinds = make_column_selector(dtype_exclude="number")
            model = make_pipeline(make_column_transformer(
                (OneHotEncoder(handle_unknown="ignore", sparse_output=False), kinds),
                remainder="passthrough"), HistGradientBoostingRegressor())
            model.fit(a[["x", "z"]], a["y"])
            return model.predict(b[["x", "z"]]), bool(told)
    return run


def verdict(run, rows, y, ends, clean):
    with tempfile.TemporaryDirectory() as folder:
        try:
            mean, noted = run(*write(folder, rows, ends))
        except Exception:  # of whatever kind: the person is told
            return "refused", clean
    if len(mean) != 100:
        return "**silent**", np.inf  # rows are lost
    scored = [i for i in range(200, 300) if rows[i][0] not in CELLS]
    error = float(np.sqrt(np.mean((np.asarray(mean)[[i - 200 for i in scored]] - y[scored]) ** 2)))
    right = error < 1.5 * clean or clean == 0 or (y[0] > 1e14 and error < 20)
    return f"{'right' if right else 'noted' if noted else '**silent**'}", error


def main():
    import duckdb
    import pandas
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", action="append", default=[])
    names = {p: pfnamp(p) for p in parser.parse_args().program}
    names["pandas, scikit-learn"] = sklearn(pandas.read_csv)
    names["DuckDB, scikit-learn"] = sklearn(lambda path: duckdb.read_csv(str(path)).df())
    print("| kind |", " | ".join(names), "|\n|---|" + "---|" * len(names))
    sums, clean = {n: {} for n in names}, {}
    for kind, rows, y, ends in tables():
        cells = []
        for name, run in names.items():
            if kind.startswith("clean"):
                clean[name] = verdict(run, rows, y, ends, 0)[1]
                continue
            word, error = verdict(run, rows, y, ends, clean[name])
            cells.append(word if word == "refused" else f"{word} ({error / clean[name]:.1f})")
            sums[name][word] = sums[name].get(word, 0) + 1
        if cells:
            print("|", kind, "|", " | ".join(cells), "|", flush=True)
    print("| **sum** |", " | ".join(
        ", ".join(f"{n} {w}" for w, n in sorted(s.items())) for s in sums.values()), "|")


if __name__ == "__main__":
    main()
