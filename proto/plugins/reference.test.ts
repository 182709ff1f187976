import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { contractFiles } from "@baton/contract";
import { describe, expect, it } from "vitest";
import { headingAnchor } from "./reference/markdown.ts";

const page = readFileSync(resolve(import.meta.dirname, "../../docs/reference/contract.md"), "utf8");
const lines = page.split("\n");
const messages = contractFiles.flatMap((file) => file.messages);
const enums = contractFiles.flatMap((file) => file.enums);
const services = contractFiles.flatMap((file) => file.services);

/** The text under a heading, up to the next one. */
function section(name: string): string {
  const start = lines.indexOf(`### ${name}`);
  if (start < 0) throw new Error(`docs/reference/contract.md has no section "${name}"`);
  const end = lines.findIndex((line, index) => index > start && /^##+ /.test(line));
  return lines.slice(start, end < 0 ? undefined : end).join("\n");
}

/** The row of a table that has this in its column of names: the first or the second. */
function row(name: string, label: string): string {
  return (
    section(name)
      .split("\n")
      .find((line) =>
        line
          .split("|")
          .slice(0, 3)
          .some((cell) => ` ${cell} `.includes(` \`${label}\` `)),
      ) ?? ""
  );
}

describe("the reference page", () => {
  it("[CON-07] says where it comes from before anything else", () => {
    expect(lines[0]).toMatch(/^# /);
    expect(lines[2]).toContain("Generated from `proto/vasini/agent/v1` by `npm run generate`");
  });

  it.each(messages)("[CON-07] has every field of $name", (message) => {
    for (const field of message.fields) {
      expect(row(message.name, field.name)).toMatch(new RegExp(`^\\| ${field.number} +\\|`));
    }
    for (const oneof of message.oneofs) {
      expect(row(message.name, oneof.name)).toContain("oneof");
      for (const arm of oneof.fields) expect(row(message.name, arm.name)).toContain("↳");
    }
  });

  it.each(enums)("[CON-07] has every value of $name", (type) => {
    for (const value of type.values) {
      expect(row(type.name, value.name)).toMatch(new RegExp(`^\\| ${value.number} +\\|`));
    }
  });

  it.each(services)("[CON-05] has every call of $name", (service) => {
    for (const method of service.methods) {
      expect(row(service.name, method.name)).toMatch(
        new RegExp(`\\[${method.input.name}\\] → .*\\[${method.output.name}\\]`),
      );
    }
  });

  it("[CON-05] shows which way a call streams", () => {
    const both = "stream of [AttachAgentRequest] → stream of [AttachAgentResponse]";
    expect(row("RegistryService", "AttachAgent")).toContain(both);
    expect(row("AgentService", "RunAgent")).toContain("| [RunAgentRequest] → stream of [RunAgentResponse] ");
    expect(row("AgentService", "CancelAgent")).toContain("| [CancelAgentRequest] → [CancelAgentResponse] ");
  });

  it("[CON-03] says the rules in words", () => {
    expect(row("Contract", "task_id")).toContain("| not empty ");
    expect(row("PipelinePlan", "stages")).toContain("| at least 1 item; at most 1000 items ");
    expect(row("AuditCheckpoint", "root_hash")).toContain("| exactly 32 bytes ");
    expect(row("StructuredResponse", "status")).toContain(
      "| a defined value; not `RESPONSE_STATUS_UNSPECIFIED` ",
    );
    expect(row("StageConfig", "timeout")).toContain("| longer than 0s ");
    expect(row("Evidence", "evidence_payload")).toContain("| exactly one ");
    expect(row("AuditSnapshot", "snapshot_payload")).toContain("| at most one ");
    expect(section("Routing")).toContain("selected_pack_id must be one of candidate_pack_ids");
  });

  it("[CON-02] lists what is reserved", () => {
    expect(section("TaskEnvelope")).toContain("Reserved: 9 to 15, `envelope_metadata`.");
    expect(section("AuditEventType")).toContain("Reserved: 60 to 100.");
  });

  it("[CON-07] has no link that leads nowhere, and no two headings with one anchor", () => {
    const anchors = lines
      .filter((line) => /^#+ /.test(line))
      .map((line) => headingAnchor(line.replace(/^#+ /, "")));
    expect(new Set(anchors).size).toBe(anchors.length);
    const targets = [...page.matchAll(/\(#([^)]+)\)|^\[\w+\]: #(.+)$/gm)].map(
      ([, inline, below]) => inline ?? below,
    );
    expect(targets.filter((target) => target === undefined || !anchors.includes(target))).toEqual([]);
    const defined = new Set([...page.matchAll(/^\[(\w+)\]: #/gm)].map(([, name]) => name));
    const used = lines.flatMap((line) => [...line.replace(/`[^`]*`/g, "").matchAll(/\[(\w+)\](?![(:])/g)]);
    expect(used.map(([, name]) => name).filter((name) => !defined.has(name))).toEqual([]);
  });
});
