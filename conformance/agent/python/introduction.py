"""Who the agent is, and how it is."""

import time
import uuid

from contract import SCHEMA_VERSION, protocol, registry
from workload import CAPACITY, Workload

PACK = "conformance-python"
VERSION = "1.0.0"
INSTANCE = uuid.uuid4().hex


def manifest() -> registry.AgentManifest:
    made = registry.AgentManifest(
        pack_id=PACK,
        pack_version=VERSION,
        capability_schema_version="1.0.0",
        safety_tier=protocol.RISK_TIER_NORMAL,
        supported_task_types=[f"conformance.{what}" for what in ("echo", "slow", "fail", "tool", "step")],
        provided_tools=["conformance-tool"],
    )
    made.interface.supported_schema_versions.append(f"^{SCHEMA_VERSION}")
    made.interface.accepted_risk_tiers.extend(["RISK_TIER_LOW", "RISK_TIER_NORMAL"])
    return made


def heartbeat(workload: Workload, lease_seconds: float, endpoint: str = "") -> registry.AgentHeartbeat:
    made = registry.AgentHeartbeat(pack_id=PACK, pack_version=VERSION, instance_id=INSTANCE)
    made.health.status = registry.HEALTH_STATUS_HEALTHY
    made.capacity.active_tasks = workload.active()
    made.capacity.max_tasks = CAPACITY
    made.heartbeat_at.FromMilliseconds(int(time.time() * 1000))
    made.lease_ttl.FromMilliseconds(int(lease_seconds * 1000))
    if endpoint:
        made.endpoint.uri = endpoint
        made.endpoint.transport = registry.AGENT_TRANSPORT_GRPC
    return made
