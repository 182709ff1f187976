import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { eventually } from "../../testing/index.ts";

/** A process that redacts one text with a redactor that does not come back until a file is there, and then another one. */
function standingStill() {
  const folder = mkdtempSync(join(tmpdir(), "baton-stall-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [open, program] = [join(folder, "open"), join(folder, "program.ts")];
  const source = (name: string) => JSON.stringify(join(import.meta.dirname, name));
  writeFileSync(
    program,
    `import { existsSync } from "node:fs";
import { EgressFilter, defaultRedactor } from ${source("egress-filter.ts")};
import { watchStalls } from ${source("stall-watch.ts")};
const usual = defaultRedactor();
const stalls = (text) => { while (!existsSync(${JSON.stringify(open)})); return usual.redactText(text); };
const filter = new EgressFilter({ redactor: { ...usual, redactText: stalls } });
filter.onFailures(({ egress, code }) => console.log("alert", egress, code));
filter.watchStallsWith(watchStalls(100));
try { console.log("passed", filter.at("audit").redactText("one").text); } catch (error) { console.log("blocked", error.code); }
console.log("passed", filter.at("audit").redactText("two").text);
setTimeout(() => process.exit(0), 500);
`,
  );
  const child = spawn(process.execPath, [program]);
  onTestFinished(() => void child.kill("SIGKILL"));
  const said = { out: "", err: "" };
  child.stdout.on("data", (chunk) => (said.out += chunk));
  child.stderr.on("data", (chunk) => (said.err += chunk));
  return { said, letGo: () => writeFileSync(open, ""), isOpen: () => existsSync(open) };
}

describe("a redactor that does not return", () => {
  it("[OBS-05] lets nothing pass, is reported while it blocks, and work continues when it returns", async () => {
    const { said, letGo, isOpen } = standingStill();
    const lines = () => said.err.split("\n").filter((line) => line.startsWith('{"level":60'));
    await eventually(
      "the alert",
      () => lines().length > 0,
      () => said,
    );
    expect([isOpen(), said.out]).toEqual([false, ""]);
    expect(JSON.parse(lines()[0] ?? "")).toMatchObject({
      level: 60,
      code: "BATON-REDACTION-105",
      egress: "audit",
    });
    letGo();
    await eventually(
      "the second text",
      () => said.out.includes("passed two"),
      () => said,
    );
    await eventually("the report", () => lines().at(-1)?.includes("has come back") === true);
  });
});
