"""A table, a state and what one process predicts, for the tests of engines."""

import os
import shutil
import signal
import subprocess
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

ROOT = Path(__file__).resolve().parents[2]
ROWS = 20_000
PROGRAM = "/pfnamp predict "  # in the command line of a program that predicts
OPTIONS = {"functional": ["mean", "q0.9"], "chains": 50, "keep": ["id"]}


class Job:
    """20,000 rows in 20 files, a state of the small model, and the predictions of one process."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="pfnamp-engines-"))
        self.rows, self.state = self.folder / "rows", self.folder / "small.state"
        os.environ.setdefault("PFNAMP_MODEL", str(ROOT / "testdata" / "tiny"))
        rng = np.random.default_rng(1)
        x = rng.standard_normal((ROWS + 200, 3))
        y = x[:, 0] + np.abs(x[:, 1]) + 0.3 * rng.standard_normal(len(x))
        columns = {f"x{i}": x[:, i] for i in range(3)}
        train = pa.table({**{k: v[ROWS:] for k, v in columns.items()}, "y": y[ROWS:]})
        pq.write_table(train, self.folder / "train.parquet")
        self.table = pa.table({"id": np.arange(ROWS), **{k: v[:ROWS] for k, v in columns.items()}})
        self.rows.mkdir()
        for i in range(20):
            part = self.table.slice(i * ROWS // 20, ROWS // 20)
            pq.write_table(part, self.rows / f"{i:02}.parquet")
        self.run("fit", self.folder / "train.parquet", "-y", "y", "-o", self.state)
        pq.write_table(self.table, self.folder / "all.parquet")
        out = self.folder / "out.parquet"
        flags = ["--functional", "mean,q0.9", "--chains", 50, "--keep", "id"]  # OPTIONS
        self.run("predict", self.state, self.folder / "all.parquet", *flags, "-o", out)
        self.want = plain(pq.read_table(out))

    def run(self, *arguments: object) -> None:
        command = [os.environ["PFNAMP_PROGRAM"], *map(str, arguments), "-q"]
        subprocess.run(command, check=True)

    def bad(self) -> Path:
        """A copy of the rows with a text among the numbers of row 15,001."""
        texts = [str(v) for v in self.table["x1"].to_pylist()]
        texts[15_000] = "much"
        path = self.folder / "bad.parquet"
        pq.write_table(self.table.set_column(2, "x1", pa.array(texts)), path)
        return path


class Engine:
    """What every engine must do: the first base of a test case that begins it with `start`."""

    @classmethod
    def setUpClass(cls) -> None:
        cls.job = Job()
        cls.addClassCleanup(shutil.rmtree, cls.job.folder)
        cls.start()

    @classmethod
    def start(cls) -> None:
        raise NotImplementedError

    def predicted(self, files: object, **options: object) -> pa.Table:
        raise NotImplementedError

    def test_equals_one_process(self) -> None:
        self.check(self.predicted(self.job.rows))

    def test_program_killed(self) -> None:
        self.check_killing(PROGRAM)

    def test_bad_row_ends_the_job(self) -> None:
        with self.assertRaisesRegex(Exception, '"much" is not a number'):
            self.predicted(self.job.bad())

    def check(self, got: pa.Table) -> None:
        self.assertEqual(got.column_names, self.job.want.column_names)
        self.assertTrue(got.cast(self.job.want.schema).equals(self.job.want))

    def check_killing(self, pattern: str) -> None:
        """The predictions are whole though a process with this in its command line was killed."""
        seen: list[int] = []

        def kill(pid: int) -> None:
            os.kill(pid, signal.SIGKILL)
            seen.append(pid)

        with once(pattern, kill):
            got = self.predicted(self.job.rows)
        self.check(got)
        self.assertTrue(seen, f"no process with {pattern!r} was killed")


def plain(table: pa.Table) -> pa.Table:
    """The rows in order, as the columns are but for the metadata."""
    return table.replace_schema_metadata(None).combine_chunks().sort_by("id")


def line(pid: int) -> str:
    """The command line of a process."""
    return (Path("/proc") / str(pid) / "cmdline").read_bytes().replace(b"\0", b" ").decode()


def above(pid: int) -> list[int]:
    """A process and those that have started it, up to this one; empty if this one has not."""
    found = []
    while pid not in (0, 1, os.getpid()):
        found.append(pid)
        # after the name, which may hold anything: state, parent, ...
        pid = int((Path("/proc") / str(pid) / "stat").read_text().rpartition(")")[2].split()[1])
    return found if pid == os.getpid() else []


def programs() -> Iterator[list[int]]:
    """The programs that an engine has started, each with the processes above it."""
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(OSError, ValueError):
            pid = int(entry.name)
            if PROGRAM in line(pid) and len(chain := above(pid)) > 1:  # no own look at the columns
                yield chain


def at_work(pattern: str) -> tuple[int, int] | None:
    """A program, which is stopped, and the nearest of its processes with this text."""
    for chain in programs():
        with suppress(OSError):
            os.kill(chain[0], signal.SIGSTOP)  # it cannot end now
            for pid in chain:
                if pattern in line(pid):
                    return chain[0], pid
            os.kill(chain[0], signal.SIGCONT)
    return None


@contextmanager
def once(pattern: str, then: Callable[[int], None]) -> Iterator[None]:
    """Do something meanwhile to a process of an engine whose program is at work.

    The program stands still until it is done.
    """
    over = threading.Event()

    def hunt() -> None:
        while not over.wait(0.01):
            if found := at_work(pattern):
                then(found[1])
                with suppress(OSError):
                    os.kill(found[0], signal.SIGCONT)
                return

    thread = threading.Thread(target=hunt, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join(120)
