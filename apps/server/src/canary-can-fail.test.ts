import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type Egress, openSqliteStore } from "@baton/runtime";
import { describe, expect, it, onTestFinished } from "vitest";
import { Capture } from "../testing/canary/capture.ts";
import { dumpRawStore, dumpRepository, dumpStore } from "../testing/canary/dump-store.ts";
import { captureHooks } from "../testing/canary/hook-capture.ts";
import { startHubHere } from "../testing/canary/hub-here.ts";
import { LeakyFilter } from "../testing/canary/leaky-filter.ts";
import { Scene, Seeds } from "../testing/canary/scene.ts";
import { Search } from "../testing/canary/search.ts";
import { runShortStory } from "../testing/canary/story.ts";
import { makeStoryFiles } from "../testing/canary/story-files.ts";

/** Every egress, and where something is found when its filter is removed. */
const ways: Readonly<Record<Egress, readonly string[]>> = {
  audit: ["store audit", "answer ListAuditEntries"],
  listing: ["store views", "store escalations", "store pipelines", "store task_states"],
  event: ["store events", "event WatchEvents", "event sse"],
  answer: ["answer GetPipeline", "answer SubmitTask"],
  error: ["error SubmitTask", "error http"],
  agent: ["agent dispatch"],
  webhook: ["webhook"],
  log: ["log"],
};

/** A plain row in each table that has none, as if it were not encrypted. */
const rows: Readonly<Record<string, string>> = {
  journal: `INSERT INTO journal (n, pipeline, version, last_version, directory, text, contents)
    VALUES (1, 1, 1, 1, '', ?, x'')`,
  fleet: "INSERT INTO fleet VALUES (1, 1, ?, NULL)",
  outbox: "INSERT INTO outbox VALUES (1, 1, ?, NULL)",
  timers: "INSERT INTO timers VALUES (1, ?, 0)",
  held_back: "INSERT INTO held_back VALUES ('a', 1, 1, ?, NULL)",
  open_calls: "INSERT INTO open_calls VALUES (1, 1, 'a', ?, 't', 0)",
  task_states: "INSERT INTO task_states VALUES (1, ?, 'READY', NULL, 0)",
};

/** What the hub might write among files of others. */
const files: Readonly<Record<string, string>> = {
  "data/workspaces/places/p/s/1.json": "files of places",
  "data/workspaces/places/p/s/1/left.txt": "files of places",
  "data/workspaces/places/p/s/1/.git/config": "git of places",
  "data/scratch/envelope.json": "file /scratch/envelope.json",
  "workspace/.git/baton": "repository files",
};

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "baton-leak-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Where something was found. */
function channelsWith(seeds: Seeds, capture: Capture): ReadonlySet<string> {
  const search = new Search(seeds.aviary);
  return new Set(
    [...capture.channels].flatMap(([channel, output]) =>
      output.some((one) => search.find(channel, one).length > 0) ? [channel] : [],
    ),
  );
}

describe("the search for canaries in what is stored", () => {
  it.each(Object.entries(rows))("[OBS-05] finds one that lies in the clear in %s", async (table, sql) => {
    const data = join(newFolder(), "data");
    const [seeds, capture] = [new Seeds(), new Capture()];
    await (await openSqliteStore({ directory: data })).close();
    const database = new DatabaseSync(join(data, "baton.db"));
    database.exec("INSERT INTO tenants VALUES (1, 'acme')");
    database.exec(
      `INSERT INTO pipelines (n, pipeline_id, tenant, version, status, ended, template_id, pipeline_name, created_ms,
        updated_ms) VALUES (1, 'p', 1, 1, '', 0, '', '', 0, 0)`,
    );
    database.prepare(sql).run(seeds.planter.word(`a row of ${table}`));
    database.close();
    dumpStore(data, capture);
    dumpRawStore(data, capture);
    expect(channelsWith(seeds, capture)).toEqual(new Set([`store ${table}`, "store bytes", "raw baton.db"]));
  });

  it.each(Object.entries(files))("[OBS-05] finds one that the hub writes to %s", async (name, channel) => {
    const folder = newFolder();
    const [seeds, capture] = [new Seeds(), new Capture()];
    const place = makeStoryFiles(folder, seeds);
    const data = join(folder, "data");
    await (await openSqliteStore({ directory: data })).close();
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), seeds.planter.text(`a note in ${name}`));
    dumpStore(data, capture, seeds.planter);
    dumpRepository(place, capture);
    expect(channelsWith(seeds, capture)).toEqual(new Set([channel]));
  });
});

describe("the search for canaries", () => {
  it.each(Object.entries(ways) as [Egress, readonly string[]][])(
    "[OBS-05] finds them when the filter is off for %s, and there alone",
    async (way, channels) => {
      const folder = newFolder();
      const seeds = new Seeds();
      const capture = new Capture();
      const place = makeStoryFiles(folder, seeds);
      const data = join(folder, "data");
      const hooks = await captureHooks(folder, capture);
      const hub = await startHubHere(folder, data, capture, new LeakyFilter(way));
      const scene = new Scene(hub, seeds, capture, { replyTo: hooks.url });
      await runShortStory(scene, place);
      hub.log.error({ err: new Error(seeds.planter.text("an error")) }, "a problem of the hub");
      await hooks.keep();
      scene.close();
      await hub.stop();
      dumpStore(data, capture, seeds.planter);

      const found = channelsWith(seeds, capture);
      for (const channel of channels) expect(found).toContain(channel);
      const others = Object.entries(ways).flatMap(([other, known]) => (other === way ? [] : known));
      expect(others.filter((channel) => found.has(channel))).toEqual([]);
    },
  );
});
