import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, vi } from "vitest";
import type { Follower } from "../follow-page.ts";
import { runIn, runTask, task, watchRun } from "./runs.ts";
import type { Stories } from "./story.ts";
import { makeShop, startTeam } from "./team.ts";

async function end(running: ReturnType<Follower["type"]>): Promise<void> {
  running.interrupt();
  await running.ended;
}

export const operating: Stories = {
  "docs/how-to/audit-what-was-done.md": async (page) => {
    await makeShop(page);
    const hub = await page.reach(page.type("npx baton up --audit-folder docs/audit"));
    await startTeam(page);
    const run = await runTask(page, "--task-type implement");
    await page.run("npx baton audit key");
    await page.run("npx baton audit checkpoint");
    const other = await runTask(page, "--task-type implement --risk critical", 8);
    await page.prepare(`npx baton reject ${other} --reason "no tests"`);
    expect((await page.run("npx baton audit list --type gate-rejected")).stdout).toContain("no tests");
    page.put({ "show 17": "show 5", "p-3s43k65n": run });
    expect((await page.run("npx baton audit show")).stdout).toContain("is in the record");
    await page.run("npx baton audit export --all");
    await page.run("npx baton audit export --run");
    await page.run("npx baton audit list --file");
    await page.run("npx baton audit show");
    await page.run("npx baton audit verify record.jsonl");
    await page.run("npx baton audit verify record.jsonl");
    await page.prepare(`npx baton audit verify ${run}.jsonl --key hub.key`);
    await page.run("npx baton audit verify --data");
    await page.run("npx baton audit verify --checkpoint");
    // It ends with 9 when an entry is gone, as the page says.
    await page.prepare("sed -i.old 3d record.jsonl");
    const { code } = await page.type("npx baton audit verify record.jsonl --key hub.key").ended;
    expect(code).toBe(9);
    await page.run("npx baton audit verify --data .baton --files");
    expect(existsSync(join(page.folder, "docs/audit", `${run}.jsonl`))).toBe(true);
    await end(hub);
    await page.startHub("npx baton up --audit-folder docs/audit");
  },

  "docs/how-to/operate-the-hub.md": async (page) => {
    const data = join(page.folder, ".baton");
    page.put({
      "/opt/baton": page.folder,
      "/usr/local/bin/baton": join(page.folder, ".programs/baton"),
      "/var/lib/baton/store": data,
      "/var/backups": join(page.folder, "backups"),
      "sudo -u baton ": "",
      "-o baton -g baton ": "",
      "curl -fsS": "npx node fetch.mjs",
    });
    page.write(
      "fetch.mjs",
      "const { ok } = await fetch(process.argv[2]);\nif (!ok) process.exitCode = 22;\n",
    );
    const hub = page.type("npx baton up");
    await makeShop(page);
    await page.reach(hub);
    await startTeam(page);
    await page.run("npx baton tenant stop");
    const run = runIn(await page.prepare(`npx baton run --task-type implement ${task} --no-follow`));
    expect((await page.run("npx baton tenant show")).stdout).toContain("an agent deletes things");
    await page.run("npx baton tenant start");
    expect(await watchRun(page, run)).toMatchObject({ status: "PIPELINE_STATUS_COMPLETED" });
    await page.run("ln -s ");
    const unit = readFileSync(page.save("[Unit]", "baton.service"), "utf8");
    const [, programs = ""] = /^ExecStart=(.*) --config/m.exec(unit) ?? [];
    for (const path of programs.split(" ")) expect(existsSync(path), path).toBe(true);
    page.put({ "http://127.0.0.1:7434": page.http });
    await page.run("npx node fetch.mjs");
    await page.prepare("mkdir backups && npx baton audit key > hub.key");
    await page.run("baton store backup");
    await end(hub);
    await page.prepare(
      `cp backups/*.db.key ${"baton-2027-01-31.db.key"} && mv backups/*.db backups/baton-2027-01-31.db`,
    );
    await page.prepare("cp .baton/audit.key audit.key");
    await page.run("mv ");
    for (let file = 0; file < 4; file++) await page.run("install ");
    await page.reach(page.type("npx baton up"));
    await vi.waitUntil(
      () => readdirSync(data).some((name) => name.startsWith("audit.head.missing-")),
      60_000,
    );
    await page.run("rm ");
    await page.run("baton store check");
    expect(await watchRun(page, run)).toMatchObject({ status: "PIPELINE_STATUS_COMPLETED" });
    await page.run("baton store check");
    await page.run("baton audit verify");
  },

  "docs/how-to/secure-the-hub.md": async (page) => {
    const made = await page.run("npx baton key make");
    const [, hash = ""] = /hash: "(sha256:[^"]+)"/.exec(made.stdout) ?? [];
    const other = await page.prepare("npx baton key make --id dev-agents --tenant acme --role agent");
    const [, second = ""] = /hash: "(sha256:[^"]+)"/.exec(other.stdout) ?? [];
    page.put({ 'expires: "2027-01-31"': 'expires: "2127-01-31"' });
    page.put({ "sha256:…": hash });
    const keys = page.save("# keys.yaml", "keys.yaml");
    const text = readFileSync(keys, "utf8").split("\n");
    page.write(
      "keys.yaml",
      text.map((line) => (line.includes("dev-agents") ? line.replace(hash, second) : line)).join("\n"),
    );
    page.put({ "0.0.0.0:7433": "127.0.0.1:0", "0.0.0.0:7434": "127.0.0.1:0" });
    await page.startHub("npx node apps/server/bin/baton-server.mjs");
    const refused = await page.type(`npx baton run --title x --accept y --task-type z`).ended;
    expect([refused.code, refused.stderr]).toEqual([6, expect.stringContaining("BATON-SERVER-")]);
    const [key = ""] = /baton_ci_\S+/.exec(made.stdout + made.stderr) ?? [];
    page.env.BATON_API_KEY = key;
    await page.prepare("npx baton run --title x --accept y --task-type z --no-follow");
    for (let file = 0; file < 2; file++) {
      page.save("# baton.yaml", "baton.yaml");
      await page.prepare("npx baton check --config baton.yaml");
    }
  },
};
