import { hash } from "node:crypto";
import {
  AcceptToolResponseSchema,
  canonicalJson,
  ListPinnedToolsResponseSchema,
  type PinnedTool,
  PinnedToolSchema,
  PinToolsResponseSchema,
} from "@baton/contract";
import { type PinnedTool as Pinned, pinOf } from "@baton/kernel";
import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { fleetRefusal } from "../../agents/accept.ts";
import { available } from "../../ports/available.ts";
import { HubError } from "../../ports/hub-error.ts";
import type { HubContext } from "../context.ts";
import type { Hub } from "../hub.ts";

type ToolCalls = Pick<Hub, "pinTools" | "listPinnedTools" | "acceptTool">;

/** Definitions of tools from elsewhere, pinned by digest (SACP §8). */
export function toolCalls({ engine }: HubContext): ToolCalls {
  const findPin = (tenantId: string, packId: string, name: string) =>
    pinOf(engine.fleet(tenantId), packId, name);
  return {
    async pinTools({ tenantId }, { packId, tools: given }) {
      const tools = given.map(({ name, definitionJson }) => {
        const json = canonical(definitionJson);
        return { name, json, digest: `sha256:${hash("sha256", json)}` };
      });
      const isKnown = tools.every(({ name, digest }) => {
        const pin = findPin(tenantId, packId, name);
        return pin !== undefined && pin.changed === undefined && pin.accepted.digest === digest;
      });
      if (!isKnown) {
        const problem = await available(engine.submitFleet(tenantId, { kind: "pin-tools", packId, tools }));
        if (problem) throw fleetRefusal(problem);
      }
      const accepted = tools.filter(
        ({ name, digest }) => findPin(tenantId, packId, name)?.accepted.digest === digest,
      );
      return create(PinToolsResponseSchema, { accepted: accepted.map(({ name }) => name) });
    },

    async listPinnedTools({ tenantId }, { packId, changedOnly }) {
      const { pins } = engine.fleet(tenantId);
      const packs = packId === "" ? [...pins.keys()].toSorted() : [packId];
      const tools = packs
        .flatMap((id) => [...(pins.get(id)?.values() ?? [])].toSorted((a, b) => (a.name < b.name ? -1 : 1)))
        .filter(({ changed }) => !changedOnly || changed !== undefined);
      return create(ListPinnedToolsResponseSchema, { tools: tools.slice(0, maxListed).map(viewOf) });
    },

    async acceptTool({ tenantId, id: by, kind }, { packId, name, digest, reason }) {
      if (kind === "agent")
        throw new HubError(
          "denied",
          "BATON-PIPELINE-004",
          "an agent cannot accept the definition of a tool",
          {
            fix: "use a person's key",
          },
        );
      const input = { kind: "accept-tool", packId, name, digest, by, reason } as const;
      const problem = await available(engine.submitFleet(tenantId, input));
      if (problem) throw fleetRefusal(problem);
      const pin = findPin(tenantId, packId, name);
      return create(AcceptToolResponseSchema, pin ? { tool: viewOf(pin) } : {});
    },
  };
}

/** Answers are bounded; the others are found by their pack. */
const maxListed = 1_000;

function canonical(json: string): string {
  try {
    return canonicalJson(JSON.parse(json));
  } catch {
    throw new HubError("invalid", "BATON-CONTRACT-004", "tools.definition_json is no JSON", {
      fix: "send the definition as JSON",
      violations: [{ field: "tools.definition_json", rule: "json", message: "is no JSON" }],
    });
  }
}

function viewOf({ packId, name, accepted, by, atMs, changed, changedAtMs }: Pinned): PinnedTool {
  return create(PinnedToolSchema, {
    ...{ packId, name, digest: accepted.digest, definitionJson: accepted.json, acceptedBy: by },
    acceptedAt: timestampFromMs(atMs),
    ...(changed && { changedDigest: changed.digest, changedDefinitionJson: changed.json }),
    ...(changedAtMs !== undefined && { changedAt: timestampFromMs(changedAtMs) }),
  });
}
