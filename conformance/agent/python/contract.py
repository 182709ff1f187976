"""The contract, as `protoc --python_out` generates it: the first argument names the folder that it wrote to.

No plugin for services is needed: a call is named by its path, and takes and gives messages of these types.
"""

import sys

sys.path.insert(0, sys.argv[1])

from vasini.agent.v1 import (  # noqa: E402, F401
    agent_service_pb2 as agent_service,
    protocol_pb2 as protocol,
    registry_pb2 as registry,
    registry_service_pb2 as registry_service,
    result_pb2 as result,
    step_pb2 as step,
    task_pb2 as task,
)

SCHEMA_VERSION = "1.0.0"
AGENT_SERVICE = "vasini.agent.v1.AgentService"
REGISTRY_SERVICE = "vasini.agent.v1.RegistryService"
