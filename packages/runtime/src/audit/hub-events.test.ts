import {
  ActorType,
  AuditEventType,
  ExportAuditRequestSchema,
  ListAuditEntriesRequestSchema,
  VerifyAuditRequestSchema,
} from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { expect, it, onTestFinished } from "vitest";
import { ada, testHub } from "../../testing/index.ts";
import type { Hub } from "../api/hub.ts";
import { sandboxDowngraded } from "./hub-events.ts";

async function entriesOf(hub: Hub) {
  const { entries } = await hub.listAuditEntries(ada, create(ListAuditEntriesRequestSchema, {}));
  return entries.map(({ eventType, actor, action, rationale }) => ({ eventType, actor, action, rationale }));
}

it("[OBS-03] records an export with its caller, and the export has the entry", async () => {
  const hub = await testHub();
  onTestFinished(() => hub.drain(0));
  const pieces: Uint8Array[] = [];
  for await (const { piece } of hub.exportAudit(ada, create(ExportAuditRequestSchema, {})))
    pieces.push(piece);
  expect(Buffer.concat(pieces).toString()).toContain(`"entries":1`);
  expect(await entriesOf(hub)).toMatchObject([
    {
      eventType: AuditEventType.RECORD_EXPORTED,
      actor: { type: ActorType.HUMAN, id: "ada" },
      action: "exported the record",
    },
  ]);
});

it("[OBS-03] writes an entry about the hub into the chain of every tenant it concerns", async () => {
  const hub = await testHub();
  onTestFinished(() => hub.drain(0));
  const event = sandboxDowngraded({ wanted: "bubblewrap", used: "process", reason: "bwrap is missing" });
  await hub.recordEvent(["acme", "other"], event);
  expect(await entriesOf(hub)).toMatchObject([
    {
      eventType: AuditEventType.SANDBOX_DOWNGRADED,
      actor: { type: ActorType.ORCHESTRATOR, id: "baton" },
      rationale: "bwrap is missing",
    },
  ]);
  const other = { ...ada, tenantId: "other" };
  expect(await hub.verifyAudit(other, create(VerifyAuditRequestSchema, {}))).toMatchObject({
    valid: true,
    entriesChecked: 1n,
  });
});
