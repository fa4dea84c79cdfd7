"""Run the command lines of a txtar archive and keep what each of them leaves."""

import dataclasses
import hashlib
import io
import json
import os
import pathlib
import re
import shutil
import subprocess
import zipfile

# What a refusal is, of the JSON error; its words may change.
REFUSAL = ("code", "kind", "option", "file", "line", "row", "column")

# What two runs of one program need not have in common.
MASKS = [
    (re.compile(rb"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?"), b"TIME"),
    (re.compile(rb'("[a-z_]*(seconds|bytes_peak|elapsed|time|rss)[a-z_]*": ?)[-0-9.e+]+'), rb"\1N"),
    (re.compile(rb"(?<![\w.])[0-9.]+ ?(ms|s|min|MiB|GiB)(?!\w)"), b"AMOUNT"),
    (re.compile(rb' time="[0-9.]+"'), b' time="N"'),
]
# Seconds of `evaluate` in JSON, CSV, pages and, as the last column, in tables.
TIMES = [
    (re.compile(rb'("metric": ?"time_s",\s*"value": ?)[^}]*?(,\s*"replicates")'), rb"\1N\2"),
    (re.compile(rb"(,time_s,)[^\n]*"), rb"\1N"),
    (re.compile(rb'(data-header="time_s">)[^/]*/'), rb"\1N/"),
    (re.compile(rb"(?m)(?<= )(?:&lt;|[-<\de.])+( \xc2\xb1 (?:&lt;|[-<\de.])+)?(?= *\|?$)"), b"N"),
]
SECONDS = "results.parquet"  # has them too; results.csv has the same numbers
# Commands of testscript that only look at results.
LOOKS = set("cmp stdout stderr grep exists table columns same tail narrower probabilities".split())
LARGE = 4 << 20  # bytes from which on only a hash is kept


@dataclasses.dataclass
class Record:
    """What one command line has left."""

    line: str
    status: int
    refusal: dict | None
    files: dict  # by name, "standard output" among them


def words(line, env):
    """Split a line as testscript does: single quotes, and $NAME outside of them."""
    found, word, quoted, begun = [], "", False, False
    parts = re.findall(r"''|'|\$\{?\w+\}?|\s+|#|.", line)
    for part in parts:
        if part == "''" and quoted:
            word += "'"
        elif part in ("'", "''"):
            quoted, begun = quoted != (part == "'"), True
        elif quoted:
            word += part
        elif part.isspace():
            if begun:
                found.append(word)
            word, begun = "", False
        elif part == "#" and not begun:
            break
        else:
            name = part.strip("${}") if part.startswith("$") else ""
            word, begun = word + (env.get(name, "") if name else part), True
    return found + [word] if begun else found


def masked(data, versions=()):
    """Bytes without times and versions; members of a workbook one after the other."""
    if data.startswith(b"PK\x03\x04"):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            data = b"".join(n.encode() + archive.read(n) for n in sorted(archive.namelist()))
    for version in versions:
        data = data.replace(version, b"VERSION")
    if b"\0" not in data[:4096]:
        for pattern, mask in MASKS + TIMES * (b"time_s" in data):
            data = pattern.sub(mask, data)
    return data if len(data) < LARGE else hashlib.sha256(data).digest()


def first_difference(old, new):
    """Where two texts first differ."""
    for number, (a, b) in enumerate(zip(old.splitlines(), new.splitlines(), strict=False), 1):
        if a != b:
            at = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), 0)
            part = slice(max(0, at - 20), at + 40)
            return f"line {number}: {a[part]!r}, now {b[part]!r}"
    return f"{len(old)} bytes, now {len(new)}"


def output(command, env):
    """Standard output of a command."""
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=120)
    return done.stdout


def commands(program, env, of=""):
    """The commands of the program, and theirs."""
    text = output([program, *of.split(), "--help"], env)
    listed = re.search(r"^COMMANDS:\n((?:   .*\n)+)", text, re.MULTILINE)
    found = re.findall(r"^   ([a-z]+)[ ,]", listed[1], re.MULTILINE) if listed else []
    if not found:
        return [of]
    found = [f"{of} {name}".strip() for name in found if name != "help"]
    return [
        inner for name in found for inner in (commands(program, env, name) if not of else [name])
    ]


class Runner:
    """Runs an archive with one program, in one folder."""

    def __init__(self, program, home, env):
        self.work, self.stdin, self.last = home / "work", None, b""
        tools = home / "bin"
        tools.mkdir()
        self.work.mkdir()
        (tools / "pfnamp").symlink_to(program)
        self.env = {
            **env,
            "PATH": f"{tools}:{env['PATH']}",
            "WORK": str(self.work),
            "HOME": str(home),
            "XDG_CACHE_HOME": str(home / "cache"),
            "XDG_DATA_HOME": str(home / "data"),
        }
        self.cwd, self.records, self.seen = self.work, [], {}
        text = output([program, "version", "--json"], env) or output([program, "version"], env)
        found = re.search(r"pfnamp\W+(?:version\W+)?([\w.+-]+)", text)
        self.versions = [found[1].encode()] if found and len(found[1]) > 5 else []

    def run(self, archive):
        """The records of all command lines of an archive."""
        script, *files = re.split(r"^-- (.*) --\n", archive.read_text(), flags=re.MULTILINE)
        for name, text in zip(files[::2], files[1::2], strict=True):
            path = self.work / name.strip()
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        self.changed()
        for line in script.splitlines():
            command = words(line, self.env)
            if command and command[0] == "!":
                command = command[1:]
            if not command or command[0] in LOOKS or command[0].startswith("["):
                continue
            if command[0] == "status":
                self.execute(line, command[2:])
            elif command[0] == "exec":
                self.execute(line, command[1:])
            else:
                self.prepare(*command)
        return self.records

    def path(self, name):
        return self.cwd / name

    def prepare(self, name, *arguments):
        """The commands that make ready what others read."""
        if name == "env":
            self.env.update(a.split("=", 1) for a in arguments)
        elif name == "stdin":
            self.stdin = self.read(arguments[0])
        elif name == "cd":
            self.cwd = self.path(arguments[0])
        elif name == "mkdir":
            self.path(arguments[0]).mkdir(parents=True, exist_ok=True)
        elif name == "rm":
            for a in arguments:
                path = self.path(a)
                shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
        elif name == "cp":
            *sources, to = arguments
            for source in sources:
                target = self.path(to)
                target = target / pathlib.Path(source).name if target.is_dir() else target
                if target.parent.is_dir():  # a line that is left out may have made it
                    target.write_bytes(self.read(source))
        elif name == "copy":
            shutil.copytree(arguments[0], self.path(arguments[1]))
        elif name in ("replace", "flip", "cut"):
            self.damage(name, *arguments)
        self.changed()

    def read(self, name):
        """A file, or what the last command printed."""
        if name == "stdout":
            return self.last
        path = self.path(name)
        return path.read_bytes() if path.is_file() else b""

    def damage(self, name, file, *how):
        data = bytearray(self.read(file))
        if name == "replace":
            old, new = (h.encode() for h in how)
            self.path(file).write_bytes(data.replace(old, new))
            return
        at = int(how[1]) % max(1, len(data))
        if name == "flip" and data:
            data[at] ^= 4
        self.path(how[0]).write_bytes(data[:at] if name == "cut" else data)

    def execute(self, line, command):
        """Run a command line and keep what it leaves."""
        done = self.process(command)
        self.last, refusal = done.stdout, None
        files = {"standard output": self.mask(done.stdout), **self.changed()}
        if command[0] == "pfnamp" and 0 < done.returncode < 8:
            again = done if "--json" in command else self.process([*command, "--json"])
            for text in (again.stdout, again.stderr):
                for candidate in text.splitlines()[-1:]:
                    try:
                        refusal = json.loads(candidate)
                    except ValueError:
                        continue
            refusal = refusal if isinstance(refusal, dict) and "kind" in refusal else None
            self.changed()
            if "--json" in command and refusal:
                files["standard output"] = b""
        self.stdin = None
        self.records.append(Record(line, done.returncode, refusal, files))

    def process(self, command):
        try:
            return subprocess.run(
                command, cwd=self.cwd, env=self.env, input=self.stdin or b"",
                capture_output=True, timeout=300,
            )  # fmt: skip
        except (subprocess.TimeoutExpired, OSError) as problem:
            return subprocess.CompletedProcess(command, 124, b"", str(type(problem)).encode())

    def mask(self, data):
        return masked(data, self.versions)

    def changed(self):
        """The files that are new or have other bytes than before, masked."""
        found = {}
        for folder, _, names in os.walk(self.work):
            for name in names:
                path = pathlib.Path(folder, name)
                if not path.is_file() or path.is_symlink():
                    continue
                stamp = path.stat()
                key, place = (stamp.st_mtime_ns, stamp.st_size, stamp.st_ino), str(path)
                if self.seen.get(place) != key:
                    self.seen[place] = key
                    data = path.read_bytes() if name != SECONDS else b""
                    found[str(path.relative_to(self.work))] = self.mask(data)
        return found
