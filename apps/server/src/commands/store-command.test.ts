import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqliteStore } from "@baton/runtime";
import { describe, expect, it, onTestFinished } from "vitest";
import { program } from "../../testing/program.ts";

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "baton-store-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A folder that a hub has used, and uses still. */
async function usedFolder(): Promise<string> {
  const directory = join(newFolder(), "data");
  const store = await openSqliteStore({ directory });
  onTestFinished(() => store.close());
  return directory;
}

function run(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, "store", ...args], {
    encoding: "utf8",
    env: { PATH: process.env.PATH },
  });
  return { status, stdout, stderr };
}

describe("baton-server store", () => {
  it("copies what is in a folder while a hub uses it, and finds nothing wrong with either", async () => {
    const data = await usedFolder();
    const copy = join(newFolder(), "baton.db");
    expect(run("backup", "--data", data, copy)).toEqual({
      status: 0,
      stdout: `${copy} is a backup of ${data}\n`,
      stderr: `${copy}.key decrypts the backup; keep the two apart\n`,
    });
    expect(run("check", "--data", data)).toEqual({
      status: 0,
      stdout: `${data} has no faults\n`,
      stderr: "",
    });
    const restored = join(copy, "..");
    const keyless = run("check", "--data", restored);
    expect(keyless).toMatchObject({ status: 1, stdout: expect.stringContaining("not decrypted") });
    expect(keyless.stdout).toMatch(/^BATON-STORE-010 {2}.*\n {2}fix: .+\n$/);
    const printed = JSON.parse(run("check", "--json", "--data", restored).stdout);
    expect(printed.faults).toMatchObject([{ code: "BATON-STORE-010", fix: expect.stringMatching(/./) }]);
    expect(run("backup", "--data", restored, join(newFolder(), "copy")).stderr).toContain(
      printed.faults[0].fix,
    );
    expect(run("check", "--data", restored, "--store-key", `${copy}.key`)).toMatchObject({ status: 0 });
    renameSync(`${copy}.key`, join(restored, "baton.key"));
    expect(run("check", "--data", restored)).toMatchObject({ status: 0 });
  });

  it("finds the key at the given path", async () => {
    const folder = newFolder();
    const [directory, key] = [join(folder, "data"), join(folder, "keys", "hub.key")];
    mkdirSync(join(folder, "keys"));
    await (await openSqliteStore({ directory, key })).close();
    const copy = join(folder, "copy");
    expect(run("backup", "--data", directory, copy)).toMatchObject({
      status: 4,
      stdout: "",
      stderr: expect.stringContaining("BATON-STORE-010"),
    });
    expect(run("backup", "--data", directory, "--store-key", key, copy)).toMatchObject({ status: 0 });
    expect(existsSync(`${copy}.key`)).toBe(true);
  });

  it("answers and refuses in lines of JSON on request", async () => {
    const data = await usedFolder();
    const copy = join(newFolder(), "baton.db");
    expect(JSON.parse(run("backup", "--json", "--data", data, copy).stdout)).toEqual({
      path: copy,
      folder: data,
      key: `${copy}.key`,
    });
    expect(JSON.parse(run("check", "--json", "--data", data).stdout)).toEqual({ folder: data, faults: [] });
    const refused = run("backup", "--json", "--data", data, copy);
    expect(refused).toMatchObject({ status: 4, stdout: "" });
    expect(JSON.parse(refused.stderr)).toMatchObject({ code: "BATON-STORE-007", fix: expect.any(String) });
    truncateSync(copy, 4096);
    const checked = run("check", "--json", "--data", join(copy, ".."));
    expect(checked.status === 1 ? JSON.parse(checked.stdout).faults : JSON.parse(checked.stderr)).not.toEqual(
      [],
    );
  });

  it("reports a key of another store, and one that is readable by others, as a starting hub does", async () => {
    const [data, other] = [await usedFolder(), await usedFolder()];
    const copy = join(newFolder(), "baton.db");
    run("backup", "--data", data, copy);
    const check = (key: string) =>
      JSON.parse(run("check", "--json", "--data", join(copy, ".."), "--store-key", key).stdout).faults;
    const fix = expect.stringMatching(/./);
    expect(check(join(other, "baton.key"))).toMatchObject([{ code: "BATON-STORE-011", fix }]);
    chmodSync(`${copy}.key`, 0o644);
    expect(check(`${copy}.key`)).toMatchObject([{ code: "BATON-STORE-010", fix }]);
  });

  it("does not write over anything, and ends with 4", async () => {
    const data = await usedFolder();
    const refused = run("backup", "--data", data, join(data, "baton.db"));
    expect(refused).toMatchObject({ status: 4, stdout: "" });
    expect(refused.stderr).toContain("BATON-STORE-007");
    expect(refused.stderr).toContain("fix: ");
  });

  it("says what is wrong with a damaged store, and ends with 1", async () => {
    const data = await usedFolder();
    const folder = newFolder();
    run("backup", "--data", data, join(folder, "baton.db"));
    truncateSync(join(folder, "baton.db"), 4096);
    const checked = run("check", "--data", folder);
    expect(checked.status).toBe(1);
    expect(checked.stdout).toMatch(/^BATON-STORE-003 {2}/);
    expect(checked.stdout).toMatch(/\n {2}fix: keep the directory as it is, .*\n$/);
  });

  it("ends with 4 where there is no store, and makes none", () => {
    const folder = join(newFolder(), "nothing");
    expect(run("check", "--data", folder)).toMatchObject({ status: 4 });
    expect(existsSync(folder)).toBe(false);
  });

  it.each(["backup", "check path", "repair --what"])("ends with 2 and says how it is written: %s", (line) => {
    const refused = run(...line.split(" "));
    expect(refused.status).toBe(2);
    expect(refused.stderr).toContain(
      "baton-server store backup [--data FOLDER] [--store-key FILE] [--json] PATH",
    );
  });
});
