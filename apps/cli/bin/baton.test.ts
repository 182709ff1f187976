import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";

const apps = resolve(import.meta.dirname, "../..");

/** Makes Node report an old version. Only in the first process, not in the one that takes over. */
const old = "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.0.0' } })";

function runOnOldNode(program: string, ...args: readonly string[]) {
  const pretend = ["--import", `data:text/javascript,${encodeURIComponent(old)}`];
  return spawnSync(process.execPath, [...pretend, program, ...args], { encoding: "utf8" });
}

describe.each(["cli/bin/baton.mjs", "server/bin/baton-server.mjs"])("%s on an old Node", (path) => {
  it("hands over to the newer one that npm installed, with its arguments and its exit code", () => {
    const version = runOnOldNode(join(apps, path), "--version");
    expect(version).toMatchObject({ status: 0, stderr: "" });
    expect(version.stdout).toMatch(/\d+\.\d+\.\d+/);
    expect(runOnOldNode(join(apps, path), "--no-such-option").status).toBe(2);
  });

  it("says what is missing where there is no newer one", () => {
    const elsewhere = mkdtempSync(join(tmpdir(), "baton-bin-"));
    onTestFinished(() => rmSync(elsewhere, { recursive: true }));
    for (const file of ["run-on-new-node.mjs", path]) cpSync(join(apps, file), join(elsewhere, file));
    const { status, stdout, stderr } = runOnOldNode(join(elsewhere, path));
    expect([status, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/^baton(-server)?: Node 24\.\d+ or newer is needed, .*: install Node 24\n$/);
  });
});
