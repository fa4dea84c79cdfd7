"""The program's messages, in the words of a user of the estimators."""

import csv
import functools
import re
import shlex
import sys
import traceback
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path

from pfnamp import _program
from pfnamp._program import InputError, PfnampWarning, ProgramError

FOLDER = str(Path(__file__).parent)


def same(flags: str) -> dict[str, str]:
    """The parameters of flags that have their names."""
    return {flag: flag.replace("-", "_") for flag in flags.split()}


# The parameter of each flag of the program. Remedies with other flags are dropped.
PARAMETERS = same("""model members subsample posterior chains steps device threads precision level
    predictive target-values dates repeated keep-feature group allow-new missing functional contrast
    correlated treatment""") | {
    "seed": "random_state",
    "group-by": "by",
    "ppd": "statistics",
    "samples": "n_samples",
    "set": "change",
}
FOLDS = "sklearn.model_selection"  # whose functions fit one table many times
of_folds: set[str] = set()  # kinds of notes that have been issued within them
FLAG = re.compile(r"(?<![\w-])--([a-z][a-z-]*)")
ASIDE = re.compile(r" \(([^()]*--[^()]*)\)")
NAMES = r"(?P<names>(?:'[^']*'|\\'|[^\s;()'])+(?<!,))"  # columns as a shell takes them
# What users do to their table who have no flag for it.
BY_HAND = {
    rf"(leave [\w ]+ out(:| with) )?--ignore {NAMES}( leaves the column out)?": "drop {}",
    rf"(read it as|require) numbers with --numeric {NAMES}": "convert {} to numbers",
}


def run(
    arguments: list[str],
    data: bytes,
    said: Callable[[str], str],
    *,
    but: re.Pattern[str] | None = None,
) -> bytes:
    """Run the program with messages in the words of `said`; notes are warnings, those of `but` not.

    Returns its standard output.
    """
    try:
        output, notes = _program.run(arguments, data)
    except (InputError, ProgramError) as error:
        raise type(error)(said(str(error))) from None
    for note in notes:
        if not (but and but.search(note)):
            warn(said(note))
    return output


def translated(text: str, context: str, target: str, spoken: Mapping[str, str]) -> str:
    """A message of the estimators with parameters, X and y instead of flags, files and columns.

    `context` is the name of the training table, `target` its column of labels; `spoken` is what
    columns are called whose names the user has not given.
    """
    text = re.sub(r"\bpfnamp [a-z]+ (?=--)", "", text)  # a command whose flag is a method here
    text = with_parameters(text, PARAMETERS)
    text = re.sub(r"^(stdin|-):", "X:", text)  # the table that is read now is named in front
    text = re.sub(r"\bstdin\b", context, text)
    text = re.sub(r"\bTEST\b", "X", text)
    text = re.sub(r"\S*pfnamp-\w+[/\\]state\b", "the fitted state", text)
    text = re.sub(r"\S*pfnamp-\w+[/\\]summary\.arrow\b", "the summary", text)
    text = re.sub(r"\S*pfnamp-\w+[/\\]train\.arrows\b", context, text)
    before = "(the )?(column|target) |(?<=value of )|(?<=determines )"
    text = re.sub(rf'({before})"{re.escape(target)}"', "y", text)
    if "no such column" in text:  # which lists the names to ask for
        return text
    return re.sub(r'"(x\d+)"', lambda found: spoken.get(found[1], found[0]), text)


def with_parameters(text: str, names: Mapping[str, str]) -> str:
    """A message with parameters instead of flags, and without advice on flags that have none."""
    for flag, deed in BY_HAND.items():
        text = re.sub(flag, functools.partial(_filled, deed), text)
    text = ASIDE.sub(lambda found: found[0] if _known(found[1], names) else "", text)
    lines = [_applicable(line, names) for line in text.split("\n")]
    text = "\n".join(filter(None, lines)) or text
    return FLAG.sub(lambda found: names.get(found[1], found[0]), text)


def _filled(deed: str, found: re.Match[str]) -> str:
    """What to do to the columns that a flag lists."""
    (listed,) = csv.reader(shlex.split(found["names"]))
    return deed.format(", ".join(f'"{name}"' for name in listed))


def _known(text: str, names: Mapping[str, str]) -> bool:
    """Whether all flags of a text are those of parameters, and none is of `evaluate`."""
    return "evaluate --" not in text and all(flag in names for flag in FLAG.findall(text))


def _applicable(line: str, names: Mapping[str, str]) -> str:
    """The clauses and sentences of a line that do not advise a flag without a parameter."""
    clauses = re.findall(r".+?(?:; |, (?=or |and |list )|\. (?=[A-Z])|$)", line)
    kept = "".join(clause for clause in clauses if _known(clause, names))
    return re.sub(r"^(or|and) ", "", kept.rstrip(";, "))


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
