#!/bin/sh
# The C compiler of the wheels: that of the Python package ziglang, without debug information, in which
# it names its temporary files. The word comes last, after what packages ask for.
exec "$(dirname "$0")/../../build/wheels/venv/bin/python" -m ziglang cc "$@" -s
