"""Predictions for data sets of Ray: `pip install "pfnamp[ray]"` on every node."""

import os
import tempfile

import pyarrow as pa
import ray
from ray.data import Dataset

from pfnamp import ProgramError, _filter

ATTEMPTS = 3  # per block, if the program fails for another reason than wrong input

# Ray needs a number of rows per batch on a GPU: the size of a batch of the program.
CARD_ROWS = 16384


class _Predictor:
    """An actor with one program, which answers block by block."""

    def __init__(self, state: ray.ObjectRef, options: dict):
        self.folder = tempfile.TemporaryDirectory()
        self.state = os.path.join(self.folder.name, "pfnamp.state")
        with open(self.state, "wb") as file:
            file.write(ray.get(state))
        self.options = options
        if ray.get_gpu_ids() and not options.get("device"):
            # Ray shows the program only its own GPU, which is then the first one
            self.options = {**options, "device": "cuda:0"}
        self.filter: _filter.Filter | None = None

    def __call__(self, block: pa.Table) -> pa.Table:
        whole = block.combine_chunks()
        for attempt in range(ATTEMPTS):  # Ray itself does not try again where code raises
            if self.filter is None or self.filter.schema != whole.schema.remove_metadata():
                self.stop()
                self.filter = _filter.Filter(self.state, whole.schema, self.options)
            try:
                return pa.Table.from_batches(
                    [a for b in whole.to_batches() for a in self.filter.answer(b)]
                )
            except ProgramError:
                self.stop()
                if attempt == ATTEMPTS - 1:
                    raise
            except BaseException:
                self.stop()
                raise
        raise AssertionError

    def stop(self) -> None:
        if self.filter:
            self.filter.kill()
            self.filter = None

    __del__ = stop


def predict(
    rows: Dataset,
    state: str,
    *,
    workers: int | tuple[int, int] = 1,
    cpus: int = 1,
    gpus: int = 0,
    keep: str | list[str] | None = "all",
    **options: object,
) -> Dataset:
    """Predict the rows of a data set, one row per row.

    state : a local file that `pfnamp fit` has saved. It contains the training data and goes to the
        workers through the object store.
    workers : number of workers, or their smallest and largest number. Each runs one program.
    cpus : processors per worker.
    gpus : 1 gives every worker its own GPU.
    keep : columns that pass through: "all", a list, or None.
    options : flags of `pfnamp predict` with underscores, such as functional=["mean", "q0.9"] or
        level=0.8.

    If a worker or node is lost, Ray replaces it and predicts its blocks again. A row with wrong
    input ends the job with the program's message.
    """
    with open(_filter.local(state), "rb") as file:
        saved = ray.put(file.read())
    least, most = workers if isinstance(workers, tuple) else (workers, workers)
    return rows.map_batches(
        _Predictor,
        fn_constructor_args=(saved, {"keep": keep, "cpus": cpus, **options}),
        batch_format="pyarrow",
        batch_size=CARD_ROWS if gpus else None,
        zero_copy_batch=True,
        compute=ray.data.ActorPoolStrategy(min_size=least, max_size=most),
        num_cpus=cpus,
        num_gpus=gpus or None,
    )
