"""What a peer says to bench/run: PEER NAME, then lines of `go N` and `memory`, as fovea_bench.cc."""

import json
import os
import sys
import time

THREADS = int(os.environ.get("OMP_NUM_THREADS", "2"))


class Part:
    """One thing to be timed. `note` says how the peer does it where there was a choice; `answers`
    what it found, where others should find the same; `values` numbers that others should find to
    rounding. What is `cold` takes minutes and is measured without a run before."""

    def __init__(self, run, name="", flops=0, note="", answers=(), values=(), cold=False):
        self.run, self.name, self.flops, self.note = run, name, flops, note
        self.answers, self.values, self.cold = answers, values, cold


def seconds_of(run, times):
    begin = time.perf_counter()
    for _ in range(times):
        run()
    return (time.perf_counter() - begin) / times


_baseline = 0


def status(field):
    with open("/proc/self/status") as lines:
        for line in lines:
            if line.startswith(field + ":"):
                return int(line.split()[1]) * 1024
    return 0


def begin_growth():
    """From here on memory counts."""
    global _baseline
    with open("/proc/self/clear_refs", "w") as clear:
        clear.write("5")  # the peak begins again at what is resident now
    _baseline = status("VmRSS")


def warm_up(parts):
    """Seconds of a run when warm, at least a guess."""
    if parts[0].cold:
        return 60
    return min(sum(seconds_of(part.run, 1) for part in parts) for _ in range(3))


def serve(workloads):
    """Makes the workload that the command line names, warms it up, and answers until the end."""
    out = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)  # what compilers print does not belong to the protocol
    parts = workloads[sys.argv[1]]()
    about = {
        "seconds": warm_up(parts),
        "notes": sorted({part.note for part in parts if part.note}),
        "parts": [part.name for part in parts],
        "flops": [part.flops for part in parts],
        "answers": [ids for part in parts for ids in part.answers],
        "values": [value for part in parts for value in part.values],
    }
    print(json.dumps(about), file=out)
    for line in sys.stdin:
        command = line.split()
        if command[0] == "go":
            print(*(seconds_of(part.run, int(command[1])) for part in parts), file=out)
        elif command[0] == "memory":
            print(status("VmHWM") - _baseline, file=out)
