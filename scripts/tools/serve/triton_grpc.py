"""tritonclient over gRPC, compressed or not, against the columns of predict."""

import sys
from pathlib import Path

import tritonclient.grpc as triton

from scripts.tools.serve import tables

address, folder = sys.argv[2], Path(sys.argv[3])
client = triton.InferenceServerClient(address)
assert client.is_server_live() and client.is_server_ready()
assert client.get_server_metadata().name == "pfnamp"
for model in ("price", "kind"):
    assert client.is_model_ready(model)
    outputs = [o.name for o in client.get_model_metadata(model).outputs]
    inputs = [
        triton.InferInput(name, list(values.shape), tables.DATATYPES[name]).set_data_from_numpy(
            values
        )
        for name, values in tables.columns(folder / "test.csv").items()
    ]
    for packed in (None, "gzip"):
        got = client.infer(model, inputs, compression_algorithm=packed)
        tables.expect(folder / f"{model}.csv", {o: got.as_numpy(o).tolist() for o in outputs})
try:
    client.infer("price", inputs[1:])
except triton.InferenceServerException as error:
    assert "area" in error.message(), error
else:
    raise AssertionError("a missing column is answered")
