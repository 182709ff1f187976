import { AgentManifestSchema } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { expect, it } from "vitest";
import { openRoutingPolicy } from "./open-policy.ts";

it("[DIS-04] without a policy, a task may go to every pack that says it does such tasks", () => {
  const manifests = [
    { packId: "qa", packVersion: "1.0.0", supportedTaskTypes: ["review"] },
    { packId: "dev", packVersion: "1.0.0", supportedTaskTypes: ["code"] },
    { packId: "dev", packVersion: "2.0.0", supportedTaskTypes: ["code", "review"] },
  ].map((manifest) => create(AgentManifestSchema, manifest));
  const { routes, version } = openRoutingPolicy(manifests);
  expect(version).toBe("open");
  expect([...routes].map(([taskType, { allowedPackIds }]) => [taskType, allowedPackIds])).toEqual([
    ["review", ["dev", "qa"]],
    ["code", ["dev"]],
  ]);
  expect(routes.get("code")?.fallbackPackId).toBeNull();
});
