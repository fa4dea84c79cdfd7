"""What must hold of the package as a whole, read from its text."""

import ast
import functools
import re
import unittest
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
SCRIPTS = ROOT / "scripts"
ARROWS = {  # which other parts a part may import
    "reference": set(),
    "training": {"export/bundle", "reference"},
    "export/bundle": set(),
    "export/nori": {"export/bundle"},
    "export/tabicl": {"export/bundle", "reference", "training"},
    "export/tabpfn": {"export/bundle"},
    "evaluation": {"export/bundle", "export/tabicl", "reference", "training"},
    "tools/corpus": set(),
    "tools/gpu": {"export/tabicl"},
    "tools/serve": set(),
    "tools/notebook": set(),
    "tools/wheels": set(),
}
DIVIDED = ("export", "tools")  # rooms of rooms
FILE = re.compile(r"\bscripts/[\w/.-]+\.(?:py|sh|txt|md|sha256)\b")
MODULE = re.compile(r"-m (scripts(?:\.\w+)+)")


class Import(NamedTuple):
    """`from module import names`, or `import module` without names."""

    path: Path
    module: str
    names: tuple[str, ...]


@functools.cache
def nodes() -> dict[Path, list[ast.AST]]:
    """Everything in every file of the package."""
    texts = {path: path.read_text(encoding="utf-8") for path in SCRIPTS.rglob("*.py")}
    return {path: list(ast.walk(ast.parse(text))) for path, text in texts.items()}


@functools.cache
def imports() -> list[Import]:
    """All imports, those inside functions too."""
    found = []
    for path, parts in nodes().items():
        for node in parts:
            if isinstance(node, ast.ImportFrom):
                names = tuple(alias.name for alias in node.names)
                found.append(Import(path, node.module or "", names))
            elif isinstance(node, ast.Import):
                found += [Import(path, alias.name, ()) for alias in node.names]
    return found


def place(module: str) -> Path | None:
    """The file of a module of the package, if there is one."""
    path = ROOT / module.replace(".", "/")
    found = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    return found if found.is_file() else None


@functools.cache
def names(path: Path) -> set[str]:
    """What a module defines or imports."""
    found = set()
    for node in nodes()[path]:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            found.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            found |= {alias.asname or alias.name for alias in node.names}
    return found


def named() -> Iterator[Path]:
    """The files of the repository that may name scripts."""
    for top in ROOT.iterdir():
        if top.name in ("build", "dist", ".git"):
            continue
        for path in top.rglob("*") if top.is_dir() else [top]:
            if path.suffix in (".md", ".go", ".py", ".sh") or path.name == "Makefile":
                yield path


def room(parts: Sequence[str]) -> str:
    """The part of the package that a file or module is in, by the names of its path."""
    return "/".join(parts[: 2 if parts[0] in DIVIDED else 1])


class PackageTest(unittest.TestCase):
    def test_imports_are_there(self) -> None:
        own = [i for i in imports() if i.module.split(".")[0] == "scripts"]
        self.assertGreater(len(own), 50)
        for path, module, wanted in own:
            target = place(module)
            self.assertIsNotNone(target, f"{path}: {module}")
            for name in wanted:
                there = name in names(target) or place(f"{module}.{name}")
                self.assertTrue(there, f"{path}: {module} has no {name}")

    def test_arrows(self) -> None:
        """Families know nothing of each other, and what they share nothing of them."""
        for path, module, _ in imports():
            part, (top, *rest) = room(path.relative_to(SCRIPTS).parts), module.split(".")
            if path.parent != SCRIPTS and top == "scripts" and rest != ["needs"]:
                self.assertIn(room(rest), ARROWS[part] | {part}, path)

    def test_files_and_commands_that_the_repository_names_are_there(self) -> None:
        for path in named():
            text = path.read_text(encoding="utf-8")
            for name in FILE.findall(text):
                self.assertTrue((ROOT / name).is_file(), f"{path}: {name}")
            for name in MODULE.findall(text):
                if place(name) is None:  # a page may cite the commit that has it
                    self.assertRegex(text, r"(commit|--detach) [0-9a-f]{7}", f"{path}: {name}")
