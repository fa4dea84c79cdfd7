"""The gRPC client of KServe, in binary and in contents, against the columns of predict."""

import asyncio
import sys
from pathlib import Path

from kserve import InferenceGRPCClient, InferInput, InferRequest

from scripts.tools.serve import tables


async def main(address: str, folder: Path) -> None:
    """Ask for both models."""
    client = InferenceGRPCClient(address)
    assert await client.is_server_live() and await client.is_server_ready()
    for model in ("price", "kind"):
        assert await client.is_model_ready(model)
        for binary in (True, False):
            inputs = []
            for name, values in tables.numpy_columns(folder / "test.csv").items():
                tensor = InferInput(name, list(values.shape), tables.DATATYPES[name])
                tensor.set_data_from_numpy(values, binary_data=binary)
                inputs.append(tensor)
            got = await client.infer(InferRequest(model, inputs, request_id="7"))
            tables.expect(
                folder / f"{model}.csv", {o.name: o.as_numpy().tolist() for o in got.outputs}
            )
    await client.close()


asyncio.run(main(sys.argv[2], Path(sys.argv[3])))
