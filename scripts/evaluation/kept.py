"""Results of long studies, kept in a file so that a run goes on where the last one ended."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path


class Cache:
    """Results by a key, made once."""

    def __init__(self, path: str) -> None:
        self.path = Path(path)
        lines = self.path.read_text().splitlines() if self.path.exists() else []
        self.made = dict(map(json.loads, lines))

    def get(self, key: str, make: Callable, *given: object) -> object:
        """The result of a key, made if it is not there."""
        if key not in self.made:
            self.made[key] = make(*given)
            with self.path.open("a") as file:
                file.write(json.dumps([key, self.made[key]]) + "\n")
        return self.made[key]


class Lines:
    """Lines of JSON; some of their fields say which case they belong to."""

    def __init__(self, path: Path, *fields: str) -> None:
        self.path = path
        lines = path.read_text().splitlines() if path.exists() else []
        self.done = {tuple(line[f] for f in fields) for line in map(json.loads, lines)}
        path.parent.mkdir(parents=True, exist_ok=True)

    def add(self, lines: Iterable[dict]) -> None:
        """Append the lines of a case."""
        with self.path.open("a") as out:
            out.writelines(json.dumps(line) + "\n" for line in lines)
