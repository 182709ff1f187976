import { AuditEntrySchema, EscalationSnapshotSchema } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { personalExamples, secretExamples } from "./testing/examples.ts";
import { redactorOf } from "./testing/redactor.ts";

const everywhere = redactorOf({ personalData: "everywhere" });
const mail = `ada@example.${"org"}`;

describe("personal data everywhere", () => {
  it.each([...personalExamples, ...secretExamples].map(({ kind, text, secret }) => [kind, text, secret]))(
    "[OBS-05] %s is masked in fields that no rule names, and in structured data",
    (_, text, secret) => {
      const entry = create(AuditEntrySchema, { action: text, rationale: text });
      const { message } = everywhere.redactMessage(AuditEntrySchema, entry);
      const { value } = everywhere.redactValue({ anything: [text] });
      expect(JSON.stringify([message.action, message.rationale, value])).not.toContain(secret);
      expect(everywhere.maskLine(text)).toMatchObject({ masked: true });
      const place = everywhere.place("AuditEntry").enter("action");
      expect(place.redact(text)).not.toContain(secret);
      expect(place.copyPlain(text, new Uint8Array(4_096), 0)).toBe(false);
    },
  );

  it("[OBS-05] leaves who did something: that is what a record is for", () => {
    const entry = create(AuditEntrySchema, { tenantId: mail, actor: { id: mail }, action: `asked ${mail}` });
    expect(everywhere.redactMessage(AuditEntrySchema, entry).message).toMatchObject({
      tenantId: mail,
      actor: { id: mail },
      action: "asked [redacted:email]",
    });
    const snapshot = create(EscalationSnapshotSchema, { resolvedBy: mail });
    expect(everywhere.redactMessage(EscalationSnapshotSchema, snapshot).message.resolvedBy).toBe(mail);
    expect(everywhere.place("AuditEntry").enter("actor", "AuditActor").enter("id").redact(mail)).toBe(mail);
  });

  it("[OBS-05] masks secrets also in who did something, and everything where the policy says so", () => {
    const token = secretExamples.find(({ kind }) => kind === "github-token")?.secret ?? "";
    const entry = create(AuditEntrySchema, { actor: { id: token } });
    expect(everywhere.redactMessage(AuditEntrySchema, entry).message.actor?.id).toBe(
      "[redacted:github-token]",
    );
    const strict = redactorOf({
      personalData: "everywhere",
      policy: { alwaysRedact: ["audit_actor.id"], conditionalRedact: [] },
    });
    const named = create(AuditEntrySchema, { actor: { id: "ada" } });
    expect(strict.redactMessage(AuditEntrySchema, named).message.actor?.id).toBe("[redacted:field]");
  });
});
