import { AuditEntrySchema } from "@baton/contract";
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
      const position = everywhere.locate("AuditEntry").enter("action");
      expect(position.redact(text)).not.toContain(secret);
      expect(position.copyPlain(text, new Uint8Array(4_096), 0)).toBe(false);
    },
  );

  it.each([...personalExamples, ...secretExamples].map(({ kind, text, secret }) => [kind, text, secret]))(
    "[OBS-05] %s is masked in JSON that stands in a text, also after a line break that is written out",
    (_, text, secret) => {
      const [written, gone] = [`a line\n${secret}\nand ${text}`, secret].map((one) =>
        JSON.stringify(one).slice(1, -1),
      ) as [string, string];
      const redacted = everywhere.redactText(`{"output":"${written}"}`).text;
      expect(redacted.split("and ")[1]).not.toContain(gone);
    },
  );

  it.each(personalExamples.map(({ kind, secret }) => [kind, secret]))(
    "[OBS-05] %s is masked after a line break that is written out",
    (_, secret) => {
      expect(everywhere.redactText(`{"output":"a line\\n${secret}\\nend"}`).text).not.toContain(secret);
    },
  );

  it.each(personalExamples.map(({ kind, secret }) => [kind, secret]))(
    "[OBS-05] %s is masked in the lines of a patch, whatever their mark",
    (_, secret) => {
      const patch = `@@ -1,2 +1,2 @@\n-${secret}\n+${secret}\n ${secret}\n`;
      expect(everywhere.redactText(patch).text).not.toContain(secret);
      expect(everywhere.redactText(JSON.stringify(patch)).text).not.toContain(secret);
    },
  );

  it("[OBS-05] leaves the tenant, whom the operator named so", () => {
    const entry = create(AuditEntrySchema, { tenantId: mail, actor: { id: mail }, action: `asked ${mail}` });
    expect(everywhere.redactMessage(AuditEntrySchema, entry).message).toMatchObject({
      tenantId: mail,
      actor: { id: "[redacted:email]" },
      action: "asked [redacted:email]",
    });
    expect(everywhere.locate("AuditEntry").enter("tenant_id").redact(mail)).toBe(mail);
  });

  it("[OBS-05] masks secrets also in a tenant, and everything where the policy says so", () => {
    const token = secretExamples.find(({ kind }) => kind === "github-token")?.secret ?? "";
    const entry = create(AuditEntrySchema, { tenantId: token });
    expect(everywhere.redactMessage(AuditEntrySchema, entry).message.tenantId).toBe(
      "[redacted:github-token]",
    );
    const strict = redactorOf({
      personalData: "everywhere",
      policy: { alwaysRedact: ["**/*.tenant_id"], conditionalRedact: [] },
    });
    const named = create(AuditEntrySchema, { tenantId: "acme" });
    expect(strict.redactMessage(AuditEntrySchema, named).message.tenantId).toBe("[redacted:field]");
  });
});
