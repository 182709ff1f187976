import type { Governance, SubmitTaskRequest } from "@baton/contract";
import { durationMs, timestampMs } from "@bufbuild/protobuf/wkt";
import {
  cacheModes,
  defaultObjective,
  issuerKinds,
  pressureLevels,
  priorities,
  riskTolerances,
} from "./contract-names.ts";
import { withRemainder } from "./remainder.ts";
import { formatTimestamp } from "./scalars.ts";
import type { Task } from "./task.ts";

/** The Task that was submitted, unknown fields included; undefined for a task that did not come as one. */
export function taskFromContract(request: SubmitTaskRequest): Task | undefined {
  const known = request.governance && knownTask(request);
  return known && (withRemainder(known, request.governance?.rest) as Task);
}

/** The part of a Task that has a place of its own in the contract. It has no member that the Task lacks. */
export function knownTask(request: SubmitTaskRequest): object {
  const { governance, inputs, contract, priority, deadline, budget, timeout } = request;
  if (!governance) return {};
  const { issuedAt, issuer, capability, outputSchema, deepTrace } = governance;
  const criteria = contract?.acceptanceCriteria ?? [];
  const isDefault = criteria.length === 1 && criteria[0] === defaultObjective(capability);
  return {
    protocolVersion: governance.sapVersion,
    taskId: governance.taskId,
    ...given("parentTaskId", governance.parentTaskId),
    correlationId: governance.correlationId,
    ...(issuedAt && { issuedAt: formatTimestamp(timestampMs(issuedAt)) }),
    ...(issuer && {
      issuer: {
        agentId: issuer.agentId,
        agentKind: issuerKinds.name(issuer.kind),
        ...given("name", issuer.name),
      },
    }),
    target: { ...given("agentId", governance.packId), capability },
    constitutionalContext: contextOf(governance, isDefault ? [] : criteria),
    ...(inputs && { payload: inputs }),
    ...members("outputContract", {
      ...(outputSchema && { schema: outputSchema }),
      ...given("format", governance.outputFormat),
    }),
    ...members("telemetry", {
      ...given("priority", priorities.name(priority) ?? ""),
      ...(deadline && { deadline: formatTimestamp(timestampMs(deadline)) }),
      ...members("budget", {
        ...(budget?.maxTokens !== undefined && { tokens: Number(budget.maxTokens) }),
        ...(timeout && { seconds: durationMs(timeout) / 1_000 }),
      }),
      ...(deepTrace && { trace: true }),
    }),
    ...(governance.replyTo[0] !== undefined && { replyTo: { endpoint: governance.replyTo[0] } }),
    ...list(
      "attachments",
      governance.attachments.map(({ uri, kind, digest }) => ({
        uri,
        ...given("kind", kind),
        ...given("digest", digest),
      })),
    ),
    ...list("tags", governance.tags),
  };
}

function contextOf(governance: Governance, objectives: readonly string[]): object {
  const { pressure, cachePolicy } = governance;
  const { mode, maxAge, mustAlign } = cachePolicy ?? {};
  return {
    pressureLevel: pressureLevels.name(governance.pressureLevel),
    ...list("principles", governance.principles),
    ...members("pressure", Object.fromEntries(pressure.map(({ principle, psi }) => [principle, psi]))),
    ...list("objectives", objectives),
    ...list("constraints", governance.constraints),
    ...given("riskTolerance", riskTolerances.name(governance.riskTolerance) ?? ""),
    ...given("territory", governance.territory),
    ...list("references", governance.references),
    ...members("cachePolicy", {
      ...given("mode", mode === undefined ? undefined : cacheModes.name(mode)),
      ...(maxAge && { maxAgeSec: durationMs(maxAge) / 1_000 }),
      ...(mustAlign && { mustAlign }),
    }),
  };
}

/** Absent fields of the contract are absent here. */
function given(name: string, text: string | undefined): object {
  return text === undefined || text === "" ? {} : { [name]: text };
}

function list(name: string, items: readonly unknown[]): object {
  return items.length === 0 ? {} : { [name]: items };
}

function members(name: string, object: object): object {
  return Object.keys(object).length === 0 ? {} : { [name]: object };
}
