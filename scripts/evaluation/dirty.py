"""Dirties an easy table in fifty ways and asks who notices: pfnamp, and pandas and DuckDB with
scikit-learn. The packages tabicl and tabpfn are columns if they are installed: their encoders
read what pandas reads, and scikit-learn predicts, so that no weights are needed. Writes a table
of Markdown; the ratio is that of the RMSE to the clean table's.

    python -m scripts.evaluation.dirty build/pfnamp > dirty.md

The table is y = 2x - z + noise, or a category or a truth value with that effect. An answer is
*right* if its RMSE is below 1.5 times that of the clean table (4 times where y is larger),
otherwise *refused* if the program fails, *noted* if a line names the column, else *silent*.
"""

import datetime
import importlib.util
import io
import re
import subprocess
import sys
import tempfile
import unicodedata
import warnings
from pathlib import Path

import duckdb
import numpy as np
import pandas
from sklearn.compose import make_column_transformer
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

WIDE = str.maketrans("0123456789.-", "０１２３４５６７８９．－")
ARABIC = str.maketrans("0123456789.", "٠١٢٣٤٥٦٧٨٩٫")


def day(form):
    start = datetime.datetime(2021, 6, 15, 15, 4, 5)
    return lambda v: (start + datetime.timedelta(days=round(200 * v))).strftime(form)


NUMBERS = {  # every cell of x, in both tables
    "U+2212 for minus": lambda v: f"{v:.2f}".replace("-", "\u2212"),
    "en dash for minus": lambda v: f"{v:.2f}".replace("-", "\u2013"),
    "full-width digits": lambda v: f"{v:.2f}".translate(WIDE),
    "Arabic digits": lambda v: f"{v:.2f}".translate(ARABIC),
    "minus at the end": lambda v: f"{abs(v):.2f}" + "-" * int(v < 0),
    "parentheses": lambda v: f"({-v:.2f})" if v < 0 else f"{v:.2f}",
    "dollars": lambda v: f"${v:.2f}".replace("$-", "-$"),
    "kilograms": lambda v: f"{v:.2f} kg",
    "CR and DR": lambda v: f"{abs(v):.2f} " + ("CR" if v < 0 else "DR"),
    "D exponents": lambda v: f"{v:.2E}".replace("E", "D"),
    "Indian groups": lambda v: re.sub(r"\B(?=(\d\d)*\d{3}$)", ",", f"{round(v * 1e6):d}"),
    "per cent": lambda v: f"{v:.2f}%",
    "apostrophe groups": lambda v: f"{v * 1e4:,.0f}".replace(",", "'"),
    "ranges": lambda v: f"{v + 9:.2f}-{v + 9.1:.2f}",
    "prefix": lambda v: f"No. {v:.2f}",
    "10-Feb-2021": day("%d-%b-%Y"),
    "February 10, 2021": day("%B %d, %Y"),
    "02/10/21": day("%m/%d/%y"),
    "10.2.21": day("%-d.%-m.%y"),
    "2021/02/10": day("%Y/%m/%d"),
    "RFC 2822": day("%a, %d %b %Y %H:%M:%S +0100"),
    "12-hour clock": day("%m/%d/%Y %I:%M %p"),
    "zone names": day("%Y-%m-%d %H:%M:%S CET"),
    "dates with commas": day("%d,%m,%Y"),
}
CELLS = {  # a few cells of x, in both tables
    "?": 10,
    ".": 10,
    "n/a": 10,
    "-": 10,
    "<0.4": 5,
    "5.88*": 5,
    "~3": 5,
    "#DIV/0!": 10,
    "(blank)": 10,
    "see note": 1,
    "Total": 1,
    "-999999": 10,
    "99999": 3,
    "1e30": 1,
}
TRUTHS = {
    "T/F": "TF",
    "Y/N": "YN",
    "yes/no": ["yes", "no"],
    "on/off": ["on", "off"],
    "2 for true": "20",
}
TOWNS = ["Ålesund", "Málaga", "Bergen"]
OTHERS = {
    "lower case": str.lower,
    "a space behind": lambda t: t + " ",
    "NFD": lambda t: unicodedata.normalize("NFD", t),
    "new towns": lambda t: t[::-1],
}


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
    truth, town = x > 0, (x > 0.7) * 1 + (x > -0.7)
    flags, names = [str(v).upper() for v in truth], [TOWNS[k] for k in town]
    yield "clean truth values", *pair(flags, 2 * truth)
    for kind, (yes, no) in TRUTHS.items():
        yield f"TEST: {kind}", *pair(flags, 2 * truth, [yes if v else no for v in truth])
    yield "clean towns", *pair(names, 2.0 * town)
    for kind, write in OTHERS.items():
        yield f"TEST: {kind}", *pair(names, 2.0 * town, [write(t) for t in names])
    yield "TEST: semicolons", *pair(plain, ends=(",", ";"))
    commas = [p.replace(".", ",") for p in plain]
    yield "TEST: decimal commas", *pair(plain, other=commas, ends=(",", ";"))
    yield "TEST: kilograms", *pair(plain, other=[p + " kg" for p in plain])
    yield "target + 1e15", *pair(plain, 5 * x, shift=1e15)


def write(folder, rows, ends):
    paths = Path(folder, "train.csv"), Path(folder, "test.csv")
    for path, part, end, width in zip(paths, (rows[:200], rows[200:]), ends, (3, 2), strict=True):
        lines = [
            end.join(f'"{c}"' if end in c else c for c in row[:width])
            for row in [["x", "z", "y"], *part]
        ]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return paths


def pfnamp(program):
    def run(train, test):
        done = subprocess.run(
            [program, "predict", train, test, "--target", "y", "--threads", "1"],
            capture_output=True,
            text=True,
            check=True,
        )
        return pandas.read_csv(io.StringIO(done.stdout))["mean"], '"x"' in done.stderr

    return run


def tabicl(a, _, b):
    """TRAIN and TEST as the package tabicl encodes them before its network."""
    from tabicl._sklearn.preprocessing import TransformToNumerical

    encoder = TransformToNumerical()
    return encoder.fit_transform(a), encoder.transform(b)


def tabpfn(a, y, b):
    """TRAIN and TEST as the package tabpfn cleans them before its network, with version 2.5."""
    from tabpfn import TabPFNRegressor, regressor
    from tabpfn.constants import ModelVersion
    from tabpfn.inference_config import InferenceConfig
    from tabpfn.preprocessing.datamodel import FeatureModality
    from tabpfn.validation import ensure_compatible_fit_inputs_sklearn

    estimator = TabPFNRegressor()
    config = InferenceConfig.get_default("regression", ModelVersion.V2_5)
    estimator.inference_config_ = config
    x, dates, texts, names, marked = regressor.expand_dates_and_text(
        a, categorical_features_indices=None, inference_config=config
    )
    x, y = ensure_compatible_fit_inputs_sklearn(x, y, estimator=estimator, ensure_y_numeric=True)
    schema = regressor.detect_feature_modalities(
        X=x,
        feature_names=names,
        provided_categorical_indices=marked,
        min_samples_for_inference=config.MIN_NUMBER_SAMPLES_FOR_CATEGORICAL_INFERENCE,
        max_unique_for_category=config.MAX_UNIQUE_FOR_CATEGORICAL_FEATURES,
        min_unique_for_numerical=config.MIN_UNIQUE_FOR_NUMERICAL_FEATURES,
        min_cardinality_for_text=config.MIN_CARDINALITY_FOR_TEXT,
    )
    x, encoder, schema = regressor.clean_data(x, schema)
    query = texts.transform(dates.transform(b))
    query = regressor.ensure_compatible_predict_input_sklearn(query, estimator)
    chosen = schema.indices_for(FeatureModality.CATEGORICAL)
    return x, regressor.clean_data_transform(query, cat_indices=chosen, ord_encoder=encoder)


def package(encode):
    """A package by what its network would see: scikit-learn's trees predict from it."""

    def run(train, test):
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            a, b = pandas.read_csv(train), pandas.read_csv(test)
            x, query = encode(a[["x", "z"]], a["y"], b[["x", "z"]])
            model = HistGradientBoostingRegressor().fit(np.asarray(x, float), a["y"])
            mean = model.predict(np.asarray(query, float))
            return mean, any(re.search(r"\bx\b", str(w.message)) for w in told)

    return run


def sklearn(read):
    def run(train, test):
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            a, b = read(train), read(test)
            texts = [c for c in "xz" if not pandas.api.types.is_numeric_dtype(a[c])]
            encode = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
            model = make_pipeline(
                make_column_transformer((encode, texts), remainder="passthrough"),
                HistGradientBoostingRegressor(),
            ).fit(a[["x", "z"]], a["y"])
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
    scored = np.array([row[0] not in CELLS for row in rows[200:]])
    error = float(np.sqrt(np.mean((np.asarray(mean) - y[200:])[scored] ** 2)))
    right = error < (4 if y[0] > 1e14 else 1.5) * clean or clean == 0
    return f"{'right' if right else 'noted' if noted else '**silent**'}", error


def main():
    names = {p: pfnamp(p) for p in sys.argv[1:]} | {
        "pandas": sklearn(pandas.read_csv),
        "DuckDB": sklearn(lambda path: duckdb.read_csv(str(path)).df()),
    }
    for encode in (tabicl, tabpfn):
        if importlib.util.find_spec(encode.__name__):
            names[encode.__name__] = package(encode)
    print("| kind |", " | ".join(names), "|\n|---|" + "---|" * len(names))
    sums, clean = {n: {} for n in names}, {}
    for kind, rows, y, ends in tables():
        cells = []
        for name, run in names.items():
            word, error = verdict(run, rows, y, ends, clean.get(name, 0))
            if kind.startswith("clean"):
                clean[name] = error
                continue
            cells.append(f"{word} ({error / clean[name]:.1f})" if word != "refused" else word)
            sums[name][word] = sums[name].get(word, 0) + 1
        if cells:
            print("|", kind, "|", " | ".join(cells), "|", flush=True)
    totals = [", ".join(f"{n} {w}" for w, n in sorted(s.items())) for s in sums.values()]
    print("| **sum** |", " | ".join(totals), "|")


if __name__ == "__main__":
    main()
