import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { eventually } from "../../testing/index.ts";

/** A process that redacts two texts; the redactor does not return from the first one until `release` is called. */
function startBlocked() {
  const folder = mkdtempSync(join(tmpdir(), "baton-stall-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [released, program] = [join(folder, "released"), join(folder, "program.ts")];
  const source = (name: string) => JSON.stringify(join(import.meta.dirname, name));
  // The main thread is blocked right after it has started the watching thread, and its process runs until it is killed.
  writeFileSync(
    program,
    `import { existsSync } from "node:fs";
import { EgressFilter, defaultRedactor } from ${source("egress-filter.ts")};
import { watchStalls } from ${source("stall-watch.ts")};
const redactor = defaultRedactor();
const block = () => { while (!existsSync(${JSON.stringify(released)})); };
const blocks = (text) => { block(); return redactor.redactText(text); };
const filter = new EgressFilter({ redactor: { ...redactor, redactText: blocks } });
filter.onFailures(({ egress, code }) => console.log("alert", egress, code));
filter.watchStallsWith(watchStalls(100));
try { console.log("passed", filter.at("audit").redactText("one").text); } catch (error) { console.log("blocked", error.code); }
console.log("passed", filter.at("audit").redactText("two").text);
setInterval(() => {}, 1_000);
`,
  );
  const child = spawn(process.execPath, [program]);
  onTestFinished(() => void child.kill("SIGKILL"));
  const output = { stdout: "", stderr: "", end: "" };
  child.stdout.on("data", (chunk) => (output.stdout += chunk));
  child.stderr.on("data", (chunk) => (output.stderr += chunk));
  child.on("close", (code, signal) => (output.end = `${code ?? signal}`));
  const reports = () => output.stderr.split("\n").filter((line) => line.startsWith('{"level":60'));
  /** Fails at once when the process ends. */
  const prints = (what: string, look: () => boolean) =>
    eventually(
      what,
      () => {
        if (output.end !== "") throw new Error(`the process ended with ${output.end}\n${output.stderr}`);
        return look();
      },
      () => output,
    );
  return {
    ...{ output, reports, prints },
    release: () => writeFileSync(released, ""),
    isReleased: () => existsSync(released),
  };
}

describe("a redactor that does not return", () => {
  it("[OBS-05] blocks all output, is reported while it blocks, and work continues when it returns", async () => {
    const { output, reports, prints, release, isReleased } = startBlocked();
    await prints("the report", () => reports().length > 0);
    expect([isReleased(), output.stdout]).toEqual([false, ""]);
    expect(JSON.parse(reports()[0] ?? "")).toMatchObject({
      level: 60,
      code: "BATON-REDACTION-105",
      egress: "audit",
    });
    release();
    await prints("the second text", () => output.stdout.includes("passed two"));
    await prints("the report of the return", () => reports().at(-1)?.includes("has come back") === true);
  });
});
