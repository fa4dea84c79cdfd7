"""The program's messages, in the words of a user of the estimators."""

import re
import sys
import traceback
import warnings
from collections.abc import Mapping
from pathlib import Path

from pfnamp._program import PfnampWarning

FOLDER = str(Path(__file__).parent)

# The parameter of each flag of the program. Remedies with other flags are dropped.
SAME_NAME = """model members subsample posterior chains steps device threads precision level
    predictive target-values dates repeated keep-feature group allow-new missing functional contrast
    correlated treatment"""
PARAMETERS = {flag: flag.replace("-", "_") for flag in SAME_NAME.split()} | {
    "seed": "random_state",
    "group-by": "by",
    "ppd": "statistics",
    "samples": "n_samples",
    "set": "change",
}
FOLDS = "sklearn.model_selection"  # whose functions fit one table many times
of_folds: set[str] = set()  # kinds of notes that have been issued within them
FLAG = re.compile(r"(?<![\w-])--([a-z][a-z-]*)")
ASIDE = re.compile(r" \(--([a-z][a-z-]*)[^()]*\)")  # about one flag


def translated(text: str, context: str, target: str, labels: Mapping[str, str]) -> str:
    """A message with parameters, X and y instead of flags, files and their columns.

    `context` is the name of the training table, `target` its column of labels; `labels` maps the
    texts of that column to the user's labels.
    """
    text = ASIDE.sub(lambda found: found[0] if found[1] in PARAMETERS else "", text)
    lines = [line for line in map(_applicable, text.split("\n")) if line]
    text = "\n".join(lines) or text
    text = re.sub(r"\bpfnamp [a-z]+ (?=--)", "", text)  # a command whose flag is a method here
    text = FLAG.sub(lambda found: PARAMETERS.get(found[1], found[0]), text)
    text = re.sub(r"^(stdin|-):", "X:", text)  # the table that is read now is named in front
    text = re.sub(r"\bstdin\b", context, text)
    text = re.sub(r"\S*pfnamp-\w+[/\\]state\b", "the fitted state", text)
    text = re.sub(r"\S*pfnamp-\w+[/\\]summary\.arrow\b", "the summary", text)
    text = re.sub(r"\S*pfnamp-\w+[/\\]train\.arrows\b", context, text)
    text = re.sub(rf'((the )?(column|target) |(?<=value of ))"{re.escape(target)}"', "y", text)
    return re.sub(r'"(c\d+)"', lambda found: f'"{labels.get(found[1], found[1])}"', text)


def _applicable(line: str) -> str:
    """The clauses and sentences of a line that do not advise a flag without a parameter."""
    found = ""
    for clause in re.findall(r".+?(?:; |\. (?=[A-Z])|$)", line):
        if all(flag in PARAMETERS for flag in FLAG.findall(clause)):
            found += clause
    return found.rstrip("; ")


def warn(text: str) -> None:
    """Issue a note as a warning at the calling line outside this package.

    Of notes of folds that differ in numbers only, the first is issued.
    """
    depth, frame = 1, sys._getframe()
    while frame.f_back and frame.f_code.co_filename.startswith(FOLDER):
        depth, frame = depth + 1, frame.f_back
    if any(
        of.f_globals.get("__name__", "").startswith(FOLDS) for of, _ in traceback.walk_stack(None)
    ):
        if (kind := re.sub(r"\d+", "", text)) in of_folds:
            return
        of_folds.add(kind)
    warnings.warn(text, PfnampWarning, stacklevel=depth)
