"""What the first tool call has to import, and nothing else: prints the seconds that it took."""

import json
import os
import signal
import sys
import time

from proton_safe.protocol.wire import Wire

began = time.perf_counter()
from proton_safe import log  # noqa: E402 - this is what is measured
from proton_safe.serving import serve  # noqa: E402 - as above
from proton_safe.settings import from_environment  # noqa: E402 - as above
from proton_safe.tools.catalog import Profile, catalogue  # noqa: E402 - as above

catalogue(Profile.SAFE)
took = time.perf_counter() - began
unused = (json, os, signal, Wire, log, serve, from_environment)
sys.stdout.write(f"{took}\n")
