"""Opens a file and reads every person's name, with each package in a process of its own, in turns.

The time is processor time of the process without its start, the least of several runs.
"""

from __future__ import annotations

import json
import subprocess
import sys

#: The same work with each package. `names` is the number of names, to show that it is the same.
TASKS = {
    "elf-gedcom": """
import elf_gedcom
names = [person.name for person in elf_gedcom.open(file).people]
""",
    "elf-gedcom, by structures": """
import elf_gedcom
doc = elf_gedcom.open(file)
names = [name.text for record in doc if record.tag == 'INDI' for name in record.all('NAME')]
""",
    "gedcomkit": """
from gedcomkit import Gedcom
with open(file, 'rb') as opened:
    document = Gedcom.parse(opened.read())
names = [name for person in document.individuals() for name in person['names']]
""",
    "ged4py": """
from ged4py import GedcomReader
with GedcomReader(file) as reader:
    names = [record.name.format() for record in reader.records0('INDI')]
""",
}

def measured(code: str, file: str) -> tuple[float, float, int]:
    """Processor seconds, peak memory in MB, and the number of names."""
    lines = [
        "import json, resource, sys",
        "file = sys.argv[1]",
        "before = resource.getrusage(resource.RUSAGE_SELF)",
        code.strip(),
        "after = resource.getrusage(resource.RUSAGE_SELF)",
        "used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime",
        "print(json.dumps([used, after.ru_maxrss / 1024, len(names)]))",
    ]
    run = subprocess.run([sys.executable, "-c", "\n".join(lines), file], capture_output=True, text=True, check=True)
    used, memory, names = json.loads(run.stdout)
    return used, memory, names


def main(file: str, rounds: int = 5) -> None:
    best: dict[str, tuple[float, float, int]] = {}
    for _ in range(rounds):
        for name, code in TASKS.items():
            found = measured(code, file)
            best[name] = min(best.get(name, found), found)
    least = best["elf-gedcom"][0]
    print("| package | processor time | peak memory | names | times |\n| --- | ---: | ---: | ---: | ---: |")
    for name, (used, memory, names) in best.items():
        print(f"| {name} | {used:.2f} s | {memory:.0f} MB | {names} | {used / least:.0f} |")


if __name__ == "__main__":
    main(sys.argv[1])
