"""Times Jinja2 on the workloads of the template engines; arguments and output as
in peers.go. Parsing is compiling to Python."""
import glob
import hashlib
import json
import os
import statistics
import sys
import time

import jinja2


def median(f):
    f()
    times = []
    for _ in range(9):
        start, rounds = time.perf_counter_ns(), 0
        while rounds == 0 or time.perf_counter_ns() - start < 60e6:
            f()
            rounds += 1
        times.append((time.perf_counter_ns() - start) / rounds)
    return round(statistics.median(times))


folder, t3 = sys.argv[1:]
for name in ("T1", "T2", "T3"):
    files = {}
    for path in glob.glob(os.path.join(folder, name + "*.txt")):
        with open(path, encoding="utf-8") as f:
            files[os.path.basename(path)] = f.read().removesuffix("\n")
    with open(t3 if name == "T3" else os.path.join(folder, name + ".json"), encoding="utf-8") as f:
        context = json.load(f)
    env = jinja2.Environment(loader=jinja2.DictLoader(files))
    template = env.get_template(name + ".txt")
    digest = hashlib.sha256(template.render(context).encode()).hexdigest()[:16]
    parse = median(lambda: [env.from_string(text) for text in files.values()])
    print("Jinja2 " + jinja2.__version__, name, parse, median(lambda: template.render(context)), digest, sep="\t")
