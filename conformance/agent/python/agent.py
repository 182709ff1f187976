"""An agent that knows the contract only through code generated for Python, and gRPC only through Debian's package.

    python3 -B agent.py FOLDER attached|grpc     FOLDER holds what `protoc --python_out` generated from proto/

It finds the hub by BATON_HUB, and knows the types of task of the conformance suite.
"""

import os
import sys

USAGE = "usage: agent.py FOLDER attached|grpc (FOLDER: what protoc --python_out generated from proto/)"


def main() -> None:
    if len(sys.argv) != 3 or sys.argv[2] not in ("attached", "grpc"):
        sys.exit(USAGE)
    hub = os.environ.get("BATON_HUB", "http://127.0.0.1:7433")
    if sys.argv[2] == "attached":
        from attached import AttachedAgent

        AttachedAgent(hub).run()
    else:
        from served import ServedAgent

        ServedAgent(hub).run()


if __name__ == "__main__":
    main()
