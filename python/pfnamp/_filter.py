"""The program as a filter of Arrow record batches, for the tasks of an engine (Ray, Spark)."""

import os
import subprocess
import tempfile
from collections.abc import Iterator

import pyarrow as pa

from pfnamp._program import as_flags, environment, failure, program, run

PATIENCE = 10  # seconds to wait for the program to end after an error


def arguments(state: str, options: dict) -> list[str]:
    """The command line of a prediction from Arrow streams; `options` are those of `as_flags`."""
    command = ["predict", state, "-", "--from", "arrows", "--to", "arrows", "--require-eos"]
    return command + as_flags(**options)


def answer_schema(state: str, schema: pa.Schema, options: dict) -> pa.Schema:
    """The columns of the answers to rows of a schema. Raises the errors of `run`.

    It runs on the CPU, because this machine needs no GPU even if the workers have one.
    """
    sink = pa.BufferOutputStream()
    pa.ipc.new_stream(sink, schema.remove_metadata()).close()
    data, _ = run(arguments(state, {**options, "device": "cpu"}), sink.getvalue().to_pybytes())
    return pa.ipc.open_stream(data).schema.remove_metadata()


class Filter:
    """A running program that answers batch by batch, in order; for one thread at a time.

    `answer` and `close` raise InputError or ProgramError with the program's message. After an
    error the process has ended.
    """

    def __init__(self, state: str, schema: pa.Schema, options: dict):
        self.words = tempfile.TemporaryFile()  # what it says may be longer than a pipe
        self.child = subprocess.Popen(
            [program(), *arguments(state, options), "--json"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.words,
            env=environment(),
        )
        self.schema = schema.remove_metadata()
        self.writer: pa.RecordBatchStreamWriter | None = None
        self.reader: pa.RecordBatchStreamReader | None = None
        self.sent = self.received = 0

    def answer(self, batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
        """The answers to the rows of a batch, in record batches with as many rows together."""
        if batch.num_rows == 0:
            return
        if batch.schema.remove_metadata() != self.schema:
            raise ValueError(
                f"the schema of a batch differs from the first batch: {batch.schema}, but expected "
                f"{self.schema}"
            )
        sink = self.child.stdin
        assert sink is not None  # but after a fault
        try:
            if self.writer is None:
                self.writer = pa.ipc.new_stream(sink, self.schema)
            self.writer.write_batch(batch.replace_schema_metadata(None))
            sink.flush()
            self.sent += batch.num_rows
            while self.received < self.sent:
                if self.reader is None:
                    self.reader = pa.ipc.open_stream(self.child.stdout)
                part = self.reader.read_next_batch()
                self.received += part.num_rows
                yield part.replace_schema_metadata(None)
        except (OSError, StopIteration, pa.ArrowInvalid) as error:
            raise self.fault() from error

    def fault(self) -> Exception:
        """The error of a program that has stopped answering."""
        self.child.stdin = None  # closing it would end the stream as if it were whole
        try:
            status = self.child.wait(PATIENCE)
        except subprocess.TimeoutExpired:  # it waits for what will not come
            self.child.kill()
            status = self.child.wait()
        self.words.seek(0)
        return failure(status, self.words.read())

    def close(self) -> None:
        """End the input and check that every row was answered."""
        sink, source = self.child.stdin, self.child.stdout
        assert sink is not None and source is not None  # but after a fault
        try:
            if self.writer is not None:
                self.writer.close()
            sink.close()
            if self.reader is not None:
                for part in self.reader:
                    self.received += part.num_rows
            source.read()
        except (OSError, pa.ArrowInvalid) as error:
            raise self.fault() from error
        if self.child.wait() != 0 and self.sent > 0:
            raise self.fault()
        if self.received != self.sent:
            raise RuntimeError(
                f"pfnamp answered {self.received} of {self.sent} rows: run the task again"
            )

    def kill(self) -> None:
        """End the program without the end of its input."""
        self.child.kill()
        self.child.wait()
        for pipe in (self.child.stdin, self.child.stdout, self.words):
            try:
                if pipe:
                    pipe.close()
            except OSError:
                pass


def answers(
    state: str, batches: Iterator[pa.RecordBatch], options: dict
) -> Iterator[pa.RecordBatch]:
    """The answers to batches of one schema.

    If the batches raise an error, the program is killed, so it cannot mistake the error for the
    end of its input.
    """
    filter = None
    try:
        for batch in batches:
            filter = filter or Filter(state, batch.schema, options)
            yield from filter.answer(batch)
        if filter:
            filter.close()
    finally:
        if filter:
            filter.kill()


def local(path: str) -> str:
    """The absolute path of a state, which must be a local file."""
    if not os.path.isfile(path):
        raise FileNotFoundError(f"{path}: file not found: save a state with `pfnamp fit -o {path}`")
    return os.path.abspath(path)
