"""Compare two builds of the program on the same command lines: `make corpus BASE=...`.

The command lines are those of cmd/pfnamp/testdata/script and of more.txtar in this folder. Both
programs run each archive in the same fresh folder, one after the other. Compared are, line by line:
exit status, the kind of a refusal, standard output, and the bytes of every file that is new or has
changed. Times and versions are masked. The base program is the record: nothing is kept.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from scripts.tools.corpus import lines, ratios

ROOT = pathlib.Path(__file__).resolve().parents[3]
HERE = pathlib.Path(__file__).resolve().parent
SCRIPTS = ROOT / "cmd" / "pfnamp" / "testdata" / "script"


def build(base, folder):
    """The program of a commit or, where BASE is a file, that file."""
    path = pathlib.Path(base)
    if path.is_file():
        return path.resolve()
    tree, program = folder / "tree", folder / "base"
    subprocess.run(["git", "worktree", "add", "--detach", tree, base], cwd=ROOT, check=True)
    try:
        subprocess.run(["go", "build", "-o", program, "./cmd/pfnamp"], cwd=tree, check=True)
    finally:
        subprocess.run(["git", "worktree", "remove", "--force", tree], cwd=ROOT, check=True)
    return program


def differences(old, new):
    """What differs between the records of one command line."""
    found = []
    if old.status != new.status:
        found.append(f"exit status {old.status}, now {new.status}")
    for key in lines.REFUSAL:
        before, now = (old.refusal or {}).get(key), (new.refusal or {}).get(key)
        if before != now and not (key == "option" and before is None):
            found.append(f"{key} of the refusal {before!r}, now {now!r}")
    for name in sorted(old.files.keys() | new.files.keys()):
        before, now = old.files.get(name), new.files.get(name)
        if before is None or now is None:
            found.append(f"{name}: {'only the base' if now is None else 'only this one'} writes it")
        elif before != now:
            found.append(f"{name}: {lines.first_difference(before, now)}")
    return found


def compare(archive, programs, env, folder):
    """The differences of an archive, as (line, difference), with all lines that were run."""
    runs = []
    for program in programs:
        home = folder / archive.stem
        shutil.rmtree(home, ignore_errors=True)
        home.mkdir(parents=True)
        runs.append(lines.Runner(program, home, env).run(archive))
    found = []
    for old, new in zip(*runs, strict=True):
        found += [(f"{archive.name}: {old.line}", text) for text in differences(old, new)]
    shutil.rmtree(folder / archive.stem, ignore_errors=True)
    return found, [record.line for record in runs[0]]


def unused_flags(program, env, ran):
    """Flags of every command that no line uses."""
    used = {}
    for line in ran:
        words = lines.words(line, {})
        if "pfnamp" in words:
            rest = words[words.index("pfnamp") + 1 :]
            flags = [re.split("=", word)[0] for word in rest if word.startswith("-")]
            for key in (rest[0] if rest else "", " ".join(rest[:2])):
                used.setdefault(key, set()).update(flags)
    unused = []
    for command in lines.commands(program, env):
        text = lines.output([program, *command.split(), "--help"], env)
        for match in re.finditer(r"^   (--[\w-]+)((?:, -{1,2}[\w-]+)*)", text, re.MULTILINE):
            names = {match[1], *re.findall(r"-{1,2}[\w-]+", match[2])} - {"--help"}
            if names and match[1] != "--help" and not names & used.get(command, set()):
                unused.append(f"{command} {match[1]}")
    return unused


def expectations(path):
    """The allow-list: `pattern  # reason` lines; a pattern is looked for in `line: difference`."""
    listed = []
    for line in path.read_text().splitlines():
        pattern, separator, reason = line.rpartition("  # ")
        if line.strip() and not line.startswith("#"):
            if not separator or not reason.strip():
                sys.exit(f"{path}: no reason is given for {line!r}")
            listed.append(re.compile(pattern.strip()))
    return listed


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base", required=True, help="a program or a commit")
    parser.add_argument("--program", required=True, type=pathlib.Path, help="the present program")
    parser.add_argument("--library", default=str(ROOT / "build" / "lib" / "pfnamp"))
    parser.add_argument("--only", default="", help="archives whose name has this pattern")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--no-ratios", action="store_true")
    options = parser.parse_args()
    env = {
        **{k: v for k, v in os.environ.items() if not k.startswith("PFNAMP_")},
        "PFNAMP_ORT_LIB": options.library,
        "TESTDATA": str(ROOT / "testdata"),
    }
    expected = expectations(HERE / "expected.txt")
    archives = [HERE / "more.txtar", *sorted(SCRIPTS.glob("*.txtar"))]
    archives = [a for a in archives if re.search(options.only, a.stem)]
    with tempfile.TemporaryDirectory(prefix="corpus-") as temporary:
        folder = pathlib.Path(temporary)
        programs = [build(options.base, folder), options.program.resolve()]
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            jobs = [pool.submit(compare, a, programs, env, folder) for a in archives]
        found, ran = [], []
        for job in jobs:
            more, of = job.result()
            found, ran = found + more, ran + of
        if not options.no_ratios:
            ratios.show(programs, env, folder, ROOT / "testdata" / "diabetes.csv")
        unused = [] if options.only else unused_flags(programs[1], env, ran)
    for name in unused:
        print("no line uses", name)
    new = [f for f in found if not any(e.search(": ".join(f)) for e in expected)]
    last = ""
    for line, text in new:
        if line != last:
            print(line)
        last = line
        print("   ", text)
    print(f"{len(ran)} lines, {len(found) - len(new)} differences as expected, {len(new)} others")
    return 1 if new else 0


if __name__ == "__main__":
    sys.exit(main())
