"""Processor time and memory of six jobs, in pairs of runs; printed and never asserted."""

import os
import statistics
import subprocess

PAIRS = 3
ROWS = 100
JOBS = {
    "fit": "fit {data} -y progression -o {out}.state",
    "predict": "predict {data} {data} -y progression -o {out}.csv",
    "chains": "predict {data} {data} -y progression --posterior limit --chains 200 -o {out}.csv",
    "conformal": "predict {data} {data} -y progression --predictive conformal -o {out}.parquet",
    "page": "predict {data} {data} -y progression --report {out}.html -o {out}.csv",
    "read": "check {data} {data} -y progression --json",
}


def cost(program, line, env, folder):
    """Seconds of all processors, and the largest memory in MiB."""
    process = subprocess.Popen(
        [program, *line], env=env, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, process.returncode


def show(programs, env, folder, data):
    """Print the ratios of the present program to the base."""
    few = folder / "few.csv"
    few.write_text("".join(data.read_text().splitlines(True)[: ROWS + 1]))
    for name, job in JOBS.items():
        line = job.format(data=few, out=folder / "ratio").split()
        pairs = [[cost(p, line, env, folder) for p in programs] for _ in range(PAIRS)]
        time, memory = (statistics.median(new[k] / old[k] for old, new in pairs) for k in range(2))
        status = {code for pair in pairs for _, _, code in pair}
        failed = "" if status == {0} else f", exit status {sorted(status)}"
        print(f"{name}: {time:.2f} times the time, {memory:.2f} times the memory{failed}")
