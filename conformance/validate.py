"""Validates all vectors against vector.schema.json. Needs Python 3.11 and the package jsonschema."""

import json
import sys
import tomllib
from pathlib import Path

from jsonschema import Draft202012Validator

folder = Path(__file__).parent
schema = json.loads((folder / "vector.schema.json").read_text(encoding="utf-8"))
Draft202012Validator.check_schema(schema)
validator = Draft202012Validator(schema)
count = problems = 0
for path in sorted(folder.glob("*/*.toml")):
    file = tomllib.loads(path.read_text(encoding="utf-8"))
    count += len(file["vector"])
    for error in validator.iter_errors(file):
        problems += 1
        print(f"{path.relative_to(folder)}: {'/'.join(map(str, error.path))}: {error.message}")
print(f"{count} vectors, {problems} problems")
sys.exit(problems > 0)
