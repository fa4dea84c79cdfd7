"""Conformal sets of classes beside crepes and MAPIE: coverage and size, by class and by group.

    python -m scripts.evaluation.wild.sets build/bin/pfnamp --tables classes.csv \\
        --scores runs/sets.jsonl --page docs/evidence/check.md

needs `scripts/requirements.txt` and `scripts/evaluation/wild/sets.txt`. Ten tables, spread evenly
over those of the list that have groups and enough rows: the group is the first column of texts with
2 to 5 values, each in at least 60 rows of TRAIN; a table has at most 6 classes, each in at least 40
rows of TRAIN. TRAIN has at most 700 rows, TEST at most 500. The program reads the table as it is.
crepes and MAPIE get a random forest of 300 trees: crepes calibrates on rows that trees have not
read, MAPIE in ten folds. MAPIE has no promise by class or by group. The level is 0.9.

Scores that the file has are kept, so an interrupted run goes on.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import tempfile
import time
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
from crepes import WrapClassifier
from mapie.classification import CrossConformalClassifier
from sklearn.ensemble import RandomForestClassifier

from scripts.evaluation.kept import Lines
from scripts.evaluation.score_file import write_scores
from scripts.evaluation.wild.rivals import indicators, readable
from scripts.evaluation.wild.tables import WildTable, listed

LEVEL = 0.9
TABLES, MOST_TRAIN, MOST_TEST = 10, 700, 500
MOST_CLASSES, LEAST_OF_CLASS = 6, 40
MOST_GROUPS, LEAST_OF_GROUP = 5, 60
LEAST_JUDGED = 20  # rows of TEST of a class or group whose coverage is looked at
Sets = list[set[str]]


def group_column(table: WildTable) -> str | None:
    """The first column that divides the rows into a few groups of enough rows."""
    for name in table.words():
        counts = table.train[name].value_counts(dropna=False)
        if 2 <= len(counts) <= MOST_GROUPS and counts.min() >= LEAST_OF_GROUP:
            return name
    return None


def suited(table: WildTable) -> bool:
    """Whether a table has enough rows of every class, and groups."""
    table.train, table.test = table.train.head(MOST_TRAIN), table.test.head(MOST_TEST)
    table.test = table.test[table.test[table.target].isin(set(table.train[table.target]))]
    classes = table.train[table.target].value_counts()
    few = len(classes) > MOST_CLASSES or len(classes) < 2 or classes.min() < LEAST_OF_CLASS
    return not few and len(table.test) >= 100 and group_column(table) is not None


def program(path: str, by: str, table: WildTable) -> Sets:
    """Sets of `pfnamp predict --predictive conformal`."""
    flags = {"": [], "class": ["class"], "group": [group_column(table)]}[by]
    with tempfile.TemporaryDirectory() as folder:
        train, test, out = (str(Path(folder) / f"{n}.csv") for n in ("train", "test", "out"))
        table.train.to_csv(train, index=False)
        table.test.to_csv(test, index=False)
        command = [path, "predict", train, test, "-y", table.target, "--task", "classification"]
        command += ["--predictive", "conformal", "--level", str(LEVEL), "--posterior", "auto"]
        command += [f"--conformal-by={flag}" for flag in flags]
        subprocess.run([*command, "-q", "-o", out], check=True, capture_output=True, text=True)
        made = pd.read_csv(out, dtype={"set": str}, keep_default_na=False)
    return [set(text.split("|")) for text in made["set"]]


def forest() -> RandomForestClassifier:
    return RandomForestClassifier(300, min_samples_leaf=3, oob_score=True, random_state=0)


def encoded(table: WildTable) -> tuple[np.ndarray, np.ndarray]:
    """The features of both parts as numbers."""
    train, test, words = readable(table)
    made = indicators(train, words)
    return made.fit_transform(train), made.transform(test)


def picked(labels: np.ndarray, inside: np.ndarray) -> Sets:
    """Sets from a matrix of truths."""
    return [set(labels[row]) for row in inside.astype(bool)]


def crepes(by: str, table: WildTable) -> Sets:
    """Sets of crepes, not randomised."""
    x, new = encoded(table)
    wrapped = WrapClassifier(forest())
    wrapped.fit(x, table.y_train)
    if by == "group":  # crepes asks for the groups of the rows that it is given
        place = group_column(table)
        groups = {len(x): table.train[place], len(new): table.test[place]}
        if len(x) == len(new):
            raise ValueError("the parts must differ in size")
        wrapped.calibrate(
            x, table.y_train, oob=True, mc=lambda rows: groups[len(rows)].astype(str).to_numpy()
        )
    else:
        wrapped.calibrate(x, table.y_train, oob=True, class_cond=by == "class")
    inside = wrapped.predict_set(new, confidence=LEVEL, smoothing=False, labels=False)
    return picked(wrapped.learner.classes_, inside)


def mapie(table: WildTable) -> Sets:
    """Sets of MAPIE by the only one of its scores that takes two classes."""
    x, new = encoded(table)
    labels, codes = np.unique(table.y_train, return_inverse=True)
    cross = CrossConformalClassifier(
        forest(), confidence_level=LEVEL, conformity_score="lac", cv=10, random_state=0
    )
    cross.fit_conformalize(x, codes)
    return picked(labels, cross.predict_set(new)[1][:, :, 0])


def methods(path: str) -> dict[str, Callable[[WildTable], Sets]]:
    return {
        "pfnamp": partial(program, path, ""),
        "pfnamp, by class": partial(program, path, "class"),
        "pfnamp, by group": partial(program, path, "group"),
        "crepes": partial(crepes, ""),
        "crepes, by class": partial(crepes, "class"),
        "crepes, by group": partial(crepes, "group"),
        "MAPIE": mapie,
    }


def by_part(held: np.ndarray, parts: pd.Series) -> dict[str, float]:
    """The share of rows that hold in every part of enough rows."""
    parts = parts.astype(str).to_numpy()
    names, counts = np.unique(parts, return_counts=True)
    return {n: held[parts == n].mean() for n, c in zip(names, counts) if c >= LEAST_JUDGED}


def judged(table: WildTable, sets: Sets) -> dict:
    """What the sets of a table are worth."""
    held = np.array([y in s for y, s in zip(table.y_test, sets, strict=True)])
    return {
        "rows": len(table.train),
        "tested": len(held),
        "coverage": held.mean(),
        "size": float(np.mean([len(s) for s in sets])),
        "empty": float(np.mean([not s for s in sets])),
        "class": by_part(held, table.test[table.target]),
        "group": by_part(held, table.test[group_column(table)]),
    }


def run(o: argparse.Namespace) -> list[dict]:
    """The scores of all tables and methods."""
    kept = Lines(Path(o.scores), "table", "method")
    fit = [t for t in listed(Path(o.tables), 1, 0) if suited(t)]
    places = np.linspace(0, len(fit) - 1, TABLES).round().astype(int)
    print(f"{len(fit)} tables are suited", flush=True)
    for table in (fit[i] for i in places):
        for name, method in methods(o.program).items():
            if (table.name, name) in kept.done:
                continue
            start = time.perf_counter()
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                found = judged(table, method(table))
            seconds = round(time.perf_counter() - start, 2)
            kept.add([{"table": table.name, "method": name, "seconds": seconds} | found])
            print(table.name, name, found, seconds, flush=True)
    return [json.loads(line) for line in Path(o.scores).read_text().splitlines()]


def average(rows: list[dict], part: str) -> tuple[float, float]:
    """The coverage of all classes or groups: the mean and the lowest."""
    shares = [share for row in rows for share in row[part].values()]
    return float(np.mean(shares)), min(shares)


def summary(rows: list[dict]) -> list[str]:
    """A line per method, over all tables."""
    lines = [
        "| method | coverage | lowest table | labels in a set | classes: mean, lowest "
        "| classes below .80 | groups: mean, lowest | empty sets | seconds |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for name in dict.fromkeys(row["method"] for row in rows):
        of = [row for row in rows if row["method"] == name]
        held = [row["coverage"] for row in of]
        classes = [share for row in of for share in row["class"].values()]
        low = sum(share < 0.8 for share in classes)
        lines.append(
            f"| {name} | {np.mean(held):.3f} | {min(held):.3f} "
            f"| {np.mean([row['size'] for row in of]):.2f} "
            f"| {'{:.3f}, {:.3f}'.format(*average(of, 'class'))} | {low} of {len(classes)} "
            f"| {'{:.3f}, {:.3f}'.format(*average(of, 'group'))} "
            f"| {np.mean([row['empty'] for row in of]):.3f} "
            f"| {np.median([row['seconds'] for row in of]):.1f} |"
        )
    return lines


def by_table(rows: list[dict]) -> list[dict]:
    """Coverage and size by table and method."""
    given = {name: [row[name] for row in rows] for name in ("table", "rows", "method")}
    found = {name: [f"{row[name]:.2f}" for row in rows] for name in ("coverage", "size")}
    return pd.DataFrame(given | found).to_dict("records")


def filled(page: str, rows: list[dict]) -> str:
    """The page with the block `sets` made anew."""
    block = re.compile(r"(<!-- sets -->\n).*?(<!-- end -->\n)", re.DOTALL)
    return block.sub(lambda m: m[1] + "\n".join(summary(rows)) + "\n" + m[2], page)


def main() -> None:
    p = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    p.add_argument("program", help="the program")
    p.add_argument("--tables", required=True, help="list of tables with labels")
    p.add_argument("--scores", required=True, help="file of scores to add to")
    p.add_argument(
        "--page", help="Markdown page whose table is made anew, sets.csv in the folder of its name"
    )
    o = p.parse_args()
    rows = run(o)
    if o.page:
        page = Path(o.page)
        page.write_text(filled(page.read_text(encoding="utf-8"), rows), encoding="utf-8")
        found = by_table(rows)
        write_scores(page.with_suffix("") / "sets.csv", list(found[0]), found)


if __name__ == "__main__":
    main()
