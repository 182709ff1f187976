import type { Stage } from "@baton/contract/forms";

/** `PACK/INSTANCE`; empty without an agent. */
export function agentOf({ assignedPackId, assignedInstanceId }: Stage): string {
  return [assignedPackId, assignedInstanceId].filter(Boolean).join("/");
}

/** A generated instance id, which carries no meaning. */
const generatedId = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const minLength = 8;

/** The same with generated ids cut to the shortest unambiguous prefix, which commands accept too. */
export function shortAgentNames(stages: readonly Stage[]): ReadonlyMap<Stage, string> {
  const ids = new Set(
    stages.map(({ assignedInstanceId }) => assignedInstanceId).filter((id) => generatedId.test(id)),
  );
  let length = minLength;
  while (length < 36 && new Set([...ids].map((id) => id.slice(0, length))).size < ids.size) length++;
  return new Map(
    stages.map((stage) => {
      const id = stage.assignedInstanceId;
      const visible = generatedId.test(id) ? id.slice(0, length) : id;
      return [stage, agentOf({ ...stage, assignedInstanceId: visible })];
    }),
  );
}
