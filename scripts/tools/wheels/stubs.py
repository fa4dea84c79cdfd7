"""Write the stubs of macOS libraries, and the header, that building a Go program asks for.

    python -m scripts.tools.wheels.stubs --goroot "$(go env GOROOT)" --out build/wheels/macos

zig carries libSystem; Go also names libresolv and frameworks, and says in its own source code which
symbols it takes from where. A stub repeats that to the linker and holds no code. One function of
libSystem that Prometheus' client calls is in a header that zig does not carry: it is declared here.
"""

import argparse
import re
from collections import defaultdict
from pathlib import Path

IMPORT = re.compile(r'^//go:cgo_import_dynamic \S+ (\w+) "(/[^"]+)"', re.MULTILINE)
STUB = """--- !tapi-tbd
tbd-version: 4
targets: [ x86_64-macos, arm64-macos ]
install-name: '{library}'
exports:
  - targets: [ x86_64-macos, arm64-macos ]
    symbols: [ {symbols} ]
...
"""


HEADER = """#include <mach/mach_types.h>
kern_return_t mach_vm_region(vm_map_read_t task, mach_vm_address_t *address, mach_vm_size_t *size,
    vm_region_flavor_t flavor, vm_region_info_t info, mach_msg_type_number_t *count,
    mach_port_t *object_name);
"""


def imports(goroot: Path) -> dict[str, set[str]]:
    """The symbols that Go's standard library takes from libraries of macOS, by their paths."""
    found = defaultdict(set)
    for path in filter(Path.is_file, (goroot / "src").rglob("*.go")):
        for symbol, library in IMPORT.findall(path.read_text(encoding="utf-8", errors="replace")):
            if "libSystem" not in library:
                found[library].add(symbol)
    return found


def stub(out: Path, library: str) -> Path:
    """Where the linker looks for a library: -F for frameworks, -L for others."""
    name = library.rsplit("/", 1)[-1]
    if ".framework/" in library:
        return out / f"{name}.framework" / f"{name}.tbd"
    return out / f"{name.split('.')[0]}.tbd"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--goroot", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    for library, symbols in imports(args.goroot).items():
        path = stub(args.out, library)
        path.parent.mkdir(parents=True, exist_ok=True)
        listed = ", ".join(f"_{symbol}" for symbol in sorted(symbols))
        path.write_text(STUB.format(library=library, symbols=listed))
    header = args.out / "include/mach/mach_vm.h"
    header.parent.mkdir(parents=True, exist_ok=True)
    header.write_text(HEADER)


if __name__ == "__main__":
    main()
