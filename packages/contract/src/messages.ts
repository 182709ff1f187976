/** Every message, enum and service of the contract, by topic. */
export * from "../gen/vasini/agent/v1/agent_service_pb.js";
export * from "../gen/vasini/agent/v1/audit_pb.js";
export * from "../gen/vasini/agent/v1/audit_service_pb.js";
export * from "../gen/vasini/agent/v1/context_pb.js";
export * from "../gen/vasini/agent/v1/error_pb.js";
export * from "../gen/vasini/agent/v1/event_pb.js";
export * from "../gen/vasini/agent/v1/orchestrator_service_pb.js";
export * from "../gen/vasini/agent/v1/pipeline_pb.js";
export * from "../gen/vasini/agent/v1/policy_pb.js";
export * from "../gen/vasini/agent/v1/protocol_pb.js";
export * from "../gen/vasini/agent/v1/registry_pb.js";
export * from "../gen/vasini/agent/v1/registry_service_pb.js";
export * from "../gen/vasini/agent/v1/result_pb.js";
export * from "../gen/vasini/agent/v1/task_pb.js";
export * from "../gen/vasini/agent/v1/turn_pb.js";
