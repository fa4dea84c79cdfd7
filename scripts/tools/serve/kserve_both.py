"""The clients of KServe, REST and gRPC, in binary and not, against the columns of predict."""

import asyncio
import sys
from pathlib import Path

from kserve import (
    InferenceGRPCClient,
    InferenceRESTClient,
    InferInput,
    InferRequest,
    RESTConfig,
)

from scripts.tools.serve import tables


async def main(client: object, folder: Path, *address: str) -> None:
    """Ask for both models; `address` is what the REST client is told in every call."""
    assert await client.is_server_live(*address) and await client.is_server_ready(*address)
    for model in ("price", "kind"):
        assert await client.is_model_ready(*address, model)
        for binary in (True, False):
            inputs = []
            for name, values in tables.columns(folder / "test.csv").items():
                tensor = InferInput(name, list(values.shape), tables.DATATYPES[name])
                tensor.set_data_from_numpy(values, binary_data=binary)
                inputs.append(tensor)
            more = {"model_name": model} if address else {}
            got = await client.infer(*address, InferRequest(model, inputs, request_id="7"), **more)
            assert got.id == "7"
            tables.expect(
                folder / f"{model}.csv", {o.name: o.as_numpy().tolist() for o in got.outputs}
            )
    await client.close()


async def both(http: str, grpc: str, folder: Path) -> None:
    await main(InferenceRESTClient(RESTConfig(protocol="v2")), folder, f"http://{http}")
    await main(InferenceGRPCClient(grpc), folder)


asyncio.run(both(*sys.argv[1:3], Path(sys.argv[3])))
