import type { JsonObject } from "@bufbuild/protobuf";
import type { EgressFilter } from "../../redaction/egress-filter.ts";
import type { ResultBody } from "../../webhooks/bodies.ts";
import { resultOfState } from "./results-of-run.ts";

/** Webhooks of a governed task receive its Result (SAP-08). */
export function governedResultBody(filter: EgressFilter): ResultBody {
  const redactor = filter.at("webhook");
  return (state) =>
    state.task.governance ? (resultOfState(state, redactor) as unknown as JsonObject) : undefined;
}
