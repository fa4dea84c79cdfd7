"""`python -m pfnamp` runs the program, even if its folder is not on PATH."""

import os
import subprocess
import sys

from pfnamp import program

command = [program(), *sys.argv[1:]]
if os.name == "nt":
    sys.exit(subprocess.call(command))
os.execv(command[0], command)
