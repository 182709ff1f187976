import { nameFault } from "../../names.ts";
import { type FleetState, type PinnedDefinition, pinOf } from "../state/fleet-state.ts";
import type { FleetRecord } from "../state/record.ts";
import { auditToolAccepted, auditToolChanged, type FleetAudit } from "./audit.ts";
import { type FleetDecision, overLimitOf, refuse } from "./decision.ts";
import type { FullFleetWorld, InputOf } from "./input.ts";
import { problem } from "./problem.ts";

/**
 * The definitions of tools that come from elsewhere (SACP §8). The first one is pinned. Another one waits for a person; only the
 * last one waits, so that a server that changes all the time fills nothing.
 */
export function decidePin(
  state: FleetState,
  { packId, tools }: InputOf<"pin-tools">,
  { nowMs: atMs, settings: { limits } }: FullFleetWorld,
): FleetDecision {
  if (!state.packs.has(packId))
    return refuse(problem("BATON-FLEET-004", "pack_id", `pack "${packId}" is not known`));
  const records: FleetRecord[] = [];
  const audit: FleetAudit[] = [];
  let count = state.pinCount;
  for (const { name, ...seen } of tools) {
    const why = nameFault(name);
    if (why !== undefined) return refuse(problem("BATON-FLEET-001", "tools.name", why));
    const pin = pinOf(state, packId, name);
    if (pin === undefined) {
      if (++count > limits.pinnedTools)
        return overLimitOf("tools", count, limits.pinnedTools, "pinned tools");
      records.push({ kind: "tool-pinned", packId, name, definition: seen, by: "", atMs });
    } else if (isNew(pin, seen)) {
      records.push({ kind: "tool-changed", packId, name, definition: seen, atMs });
      audit.push(auditToolChanged(packId, name, pin.accepted.digest, seen.digest));
    } else if (pin.changed !== undefined && seen.digest === pin.accepted.digest)
      // The server has gone back.
      records.push({
        kind: "tool-pinned",
        packId,
        name,
        definition: pin.accepted,
        by: pin.by,
        atMs: pin.atMs,
      });
  }
  return { records, audit };
}

function isNew(
  {
    accepted,
    changed,
  }: { readonly accepted: PinnedDefinition; readonly changed?: PinnedDefinition | undefined },
  { digest }: PinnedDefinition,
): boolean {
  return digest !== accepted.digest && digest !== changed?.digest;
}

/** A person accepts the definition that waits, by the digest of what was looked at. */
export function decideAcceptTool(
  state: FleetState,
  { packId, name, digest, by, reason }: InputOf<"accept-tool">,
  { nowMs: atMs }: FullFleetWorld,
): FleetDecision {
  const no = (at: string, message: string) => refuse(problem("BATON-FLEET-013", at, message));
  const pin = pinOf(state, packId, name);
  if (pin === undefined) return no("name", `no tool "${name}" of pack "${packId}" is pinned`);
  if (pin.changed === undefined) return no("name", `the definition of "${name}" has not changed`);
  if (pin.changed.digest !== digest) return no("digest", `the definition of "${name}" has changed again`);
  if (by === "" || reason.trim() === "") return no("reason", "accepting a tool requires a name and a reason");
  return {
    records: [{ kind: "tool-pinned", packId, name, definition: pin.changed, by, atMs }],
    audit: [auditToolAccepted({ packId, name, digest, by, reason })],
  };
}
