"""`python -m pfnamp` is the program, also where its folder is not on the search path."""

from __future__ import annotations

import os
import subprocess
import sys

from pfnamp import program

command = [program(), *sys.argv[1:]]
if os.name == "nt":
    sys.exit(subprocess.call(command))
os.execv(command[0], command)
