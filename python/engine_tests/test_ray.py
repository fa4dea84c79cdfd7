"""Ray Data predicts what one process predicts, also after a worker, a program or a node was
lost.
"""

import os
import time
import unittest

os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
os.environ.setdefault("RAY_worker_register_timeout_seconds", "120")
os.environ.setdefault("RAY_worker_niceness", "0")  # on busy machines no worker would get ready
os.environ.setdefault("RAY_worker_cap_initial_backoff_delay_ms", "30000")  # nor if more are begun
os.environ.setdefault("RAY_worker_cap_max_backoff_delay_ms", "60000")

import pyarrow as pa
import ray.data
from pfnamp import ray as engine
from ray._private.state import actors
from ray.cluster_utils import Cluster

from python.engine_tests.jobs import OPTIONS, PROGRAM, Engine, once, plain


def workers_on(node: object) -> int:
    """How many of this data set's workers live on a node."""
    return sum(
        actor["State"] == "ALIVE" and actor["Address"]["NodeID"] == node.node_id
        for actor in actors().values()
    )


class Ray(Engine, unittest.TestCase):
    @classmethod
    def start(cls) -> None:
        cls.cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 4, "num_gpus": 1})
        ray.init(address=cls.cluster.address, log_to_driver=False, logging_level="ERROR")
        ray.data.DataContext.get_current().enable_progress_bars = False

    @classmethod
    def tearDownClass(cls) -> None:
        ray.shutdown()
        cls.cluster.shutdown()

    def predicted(self, files: object, **options: object) -> pa.Table:
        rows = ray.data.read_parquet(str(files))
        options = {"workers": 2, **OPTIONS, **options}
        answers = engine.predict(rows, str(self.job.state), **options)
        return plain(pa.concat_tables(ray.get(answers.to_arrow_refs())))

    def test_worker_killed(self) -> None:
        self.check_killing("ray::MapWorker")

    def test_node_lost(self) -> None:
        """The blocks of a node that dies are predicted again on the one that replaces it."""
        lost = self.cluster.add_node(num_cpus=4)
        self.cluster.wait_for_nodes()
        met: list[int] = []

        def remove(_: int) -> None:
            for _ in range(300):
                if workers_on(lost) > 0:
                    break
                time.sleep(0.2)
            met.append(workers_on(lost))
            self.cluster.remove_node(lost, allow_graceful=False)
            self.cluster.add_node(num_cpus=4)

        with once(PROGRAM, remove):
            got = self.predicted(self.job.rows, workers=6)  # more than one node takes
        self.check(got)
        self.assertTrue(met and met[0] > 0, f"workers on the node that was lost: {met}")

    def test_card_of_the_worker(self) -> None:
        with self.assertRaisesRegex(Exception, "not usable for cuda"):
            self.predicted(self.job.rows, workers=1, gpus=1)

    def test_no_such_state(self) -> None:
        with self.assertRaises(FileNotFoundError):
            engine.predict(ray.data.range(3), "nowhere.state")
