"""The floor of start-up: a loop that imports json and sys only and answers every request with the same small result."""

import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    if "id" in message:
        sys.stdout.write(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": {"tools": []}}) + "\n")
        sys.stdout.flush()
