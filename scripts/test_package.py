"""What must hold of the package as a whole, read from its text."""

import ast
import functools
import re
import unittest
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SCRIPTS = ROOT / "scripts"
ARROWS = {  # which other parts a part may import
    "bundle": set(),
    "pretrain": {"bundle"},
    "tabicl": {"bundle", "pretrain"},
    "tabpfn": {"bundle"},
    "evaluation": {"bundle", "pretrain", "tabicl"},
}
FILE = re.compile(r"\bscripts/[\w/.-]+\.(?:py|sh|txt|csv|pt|md|sha256)\b")
MODULE = re.compile(r"-m (scripts(?:\.\w+)+)")


@functools.cache
def trees() -> dict[Path, ast.Module]:
    return {path: ast.parse(path.read_text(encoding="utf-8")) for path in SCRIPTS.rglob("*.py")}


def place(module: str) -> Path | None:
    """The file of a module of the package, if there is one."""
    path = ROOT / module.replace(".", "/")
    found = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    return found if found.is_file() else None


@functools.cache
def names(path: Path) -> set[str]:
    """What a module defines or imports."""
    found = set()
    for node in ast.walk(trees()[path]):
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
            manifest = path.name == "manifest.json"
            if manifest or path.suffix in (".md", ".go", ".py") or path.name == "Makefile":
                yield path


class PackageTest(unittest.TestCase):
    def test_imports_are_there(self) -> None:
        for path, tree in trees().items():
            for node in ast.walk(tree):
                module = str(getattr(node, "module", ""))
                if module.split(".")[0] != "scripts":
                    continue
                with self.subTest(file=path.name, line=node.lineno):
                    target = place(module)
                    self.assertIsNotNone(target, module)
                    for alias in node.names:
                        whole = f"{module}.{alias.name}"
                        self.assertTrue(alias.name in names(target) or place(whole), whole)

    def test_modules_are_imported_by_their_whole_names(self) -> None:
        modules = trees()
        own = {path.stem for path in modules} - {"__init__"}
        for path, tree in modules.items():
            for node in ast.walk(tree):
                found = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
                found += [a.name for a in node.names] if isinstance(node, ast.Import) else []
                with self.subTest(file=path.name, imports=found):
                    self.assertFalse({name.split(".")[0] for name in found} & own)
                    self.assertEqual(getattr(node, "level", 0), 0)

    def test_search_path_is_left_alone(self) -> None:
        for path in [*SCRIPTS.rglob("*.py"), ROOT / "testdata" / "tiny.py"]:
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Attribute) and node.attr == "path":
                    self.assertFalse(
                        isinstance(node.value, ast.Name) and node.value.id == "sys", path
                    )

    def test_arrows(self) -> None:
        """Families know nothing of each other, and what they share nothing of them."""
        for path, tree in trees().items():
            part = path.relative_to(SCRIPTS).parts[0]
            for node in ast.walk(tree):
                module = str(getattr(node, "module", "")).split(".")
                if part in ARROWS and module[0] == "scripts" and module[1:] != ["needs"]:
                    self.assertIn(module[1], ARROWS[part] | {part}, path)

    def test_every_part_says_what_it_is(self) -> None:
        for path, tree in trees().items():
            self.assertTrue(ast.get_docstring(tree), path)
            if path.parent != SCRIPTS:
                self.assertTrue((path.parent / "__init__.py").is_file(), path)
                self.assertIn(path.parent.name, ARROWS)

    def test_files_and_commands_that_the_repository_names_are_there(self) -> None:
        for path in named():
            text = path.read_text(encoding="utf-8")
            for name in FILE.findall(text):
                self.assertTrue((ROOT / name).is_file(), f"{path}: {name}")
            for name in MODULE.findall(text):
                self.assertIsNotNone(place(name), f"{path}: {name}")


if __name__ == "__main__":
    unittest.main()
