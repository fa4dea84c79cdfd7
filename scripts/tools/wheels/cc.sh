#!/bin/sh
# The C compiler of the wheels: that of the Python package ziglang. What a flag of Go's would say is kept
# in the program's identity, so that it would hang on the folder; it is said here.
folder=$(dirname "$0")/../../../build/wheels
case $* in # headers and libraries that zig lacks, of stubs.py
*-macos*) set -- "$@" "-I$folder/macos/include" "-L$folder/macos" "-F$folder/macos" ;;
esac
# No debug information, in which zig names its temporary files, whatever packages ask for before.
exec "$folder/venv/bin/python" -m ziglang cc "$@" -s
