import type { Stage } from "@baton/contract/forms";

/** `PACK/INSTANCE`; empty while nobody has it. */
export function agentOf({ assignedPackId, assignedInstanceId }: Stage): string {
  return [assignedPackId, assignedInstanceId].filter(Boolean).join("/");
}

/** An id that nobody has chosen says nothing beyond which one it is. */
const made = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const shortest = 8;

/** The same with the beginning of ids that were made: as much of it as tells them apart, which commands take as well. */
export function shortNames(stages: readonly Stage[]): ReadonlyMap<Stage, string> {
  const ids = new Set(
    stages.map(({ assignedInstanceId }) => assignedInstanceId).filter((id) => made.test(id)),
  );
  let length = shortest;
  while (length < 36 && new Set([...ids].map((id) => id.slice(0, length))).size < ids.size) length++;
  return new Map(
    stages.map((stage) => {
      const id = stage.assignedInstanceId;
      const shown = made.test(id) ? id.slice(0, length) : id;
      return [stage, agentOf({ ...stage, assignedInstanceId: shown })];
    }),
  );
}
