import type { HubAuditEvent } from "@baton/runtime";
import { expect, it } from "vitest";
import { RefusedKeys } from "./refused-keys.ts";

it("[OBS-03] writes the first refusal of a kind at once, and those that follow as one entry a period", () => {
  const written: string[] = [];
  const record = async (tenants: readonly string[], { action, rationale }: HubAuditEvent) =>
    void written.push(`${tenants.join()}: ${action}: ${rationale}`);
  const refused = new RefusedKeys(record, () => {}, 3_600_000);
  for (let call = 0; call < 1_000; call++) refused.note(["acme"], "ci", "it has expired");
  refused.note(["acme", "other"], "", "no key has this id");
  const first = [
    'acme: refused a call with the key "ci": it has expired',
    "acme,other: refused a call with an unknown key: no key has this id",
  ];
  expect(written).toEqual(first);
  refused.flush();
  expect(written).toEqual([...first, 'acme: refused 999 calls with the key "ci": it has expired']);
  refused.flush();
  expect(written).toHaveLength(3);
  refused.note(["acme"], "ci", "it has expired");
  refused.close();
  expect(written.at(-1)).toBe(first[0]);
});
