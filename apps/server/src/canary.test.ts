import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { Capture } from "../testing/canary/capture.ts";
import {
  dumpDatabase,
  dumpFiles,
  dumpRawStore,
  dumpRepository,
  dumpStore,
  openToOthers,
} from "../testing/canary/dump-store.ts";
import { captureHooks } from "../testing/canary/hook-capture.ts";
import { runCommand, startHub } from "../testing/canary/hub-process.ts";
import { kinds } from "../testing/canary/kinds.ts";
import { Scene, Seeds } from "../testing/canary/scene.ts";
import { isAllowed, Search } from "../testing/canary/search.ts";
import { runShortStory, runStory } from "../testing/canary/story.ts";
import { breakPolicy, makeStoryFiles } from "../testing/canary/story-files.ts";

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "baton-canary-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Where canaries have to have been, so that the search means something. */
const masked = [
  ...["store audit", "store views", "store escalations", "store pipelines", "store events"],
  ...["answer GetPipeline", "answer ListPipelines", "answer ListAuditEntries", "answer ListAgents"],
  ...["answer GetAttempt", "answer ListEscalations", "event WatchEvents", "event sse"],
  ...[
    "answer GetAttemptChanges",
    "answer GetPipelineChanges",
    "answer GetTurns",
    "answer GetTransitions",
    "answer PreviewRewind",
    "answer RewindPipeline",
    "answer RerunPipeline",
    "error SubmitTask",
    "error http",
    "agent dispatch",
    "agent inputs",
    "agent cancel",
    "log stderr",
    "webhook",
  ],
];

/** Looks until the hub says that its configuration has problems. */
async function warned(http: string): Promise<void> {
  for (;;) {
    const { warnings } = (await (await fetch(`${http}/readyz`)).json()) as { warnings?: readonly string[] };
    if (warnings?.some((one) => one.includes("configuration"))) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

describe("canaries", () => {
  it("[OBS-05] are of more than thirty kinds", () => {
    expect(new Set(kinds).size).toBeGreaterThan(30);
  });

  it("[OBS-05] [TUR-03] [TUR-06] [TUR-08] planted in every field are nowhere in what a hub writes and sends", async () => {
    const folder = newFolder();
    const seeds = new Seeds();
    const capture = new Capture();
    const place = makeStoryFiles(folder, seeds);
    const data = join(folder, "data");
    const secret = seeds.planter.word("the environment");
    const record = join(folder, "record");
    const env = { CANARY_TOKEN: secret, ANY_PASSWORD: secret };
    const hooks = await captureHooks(folder, capture);
    const hub = await startHub(folder, capture, env, "--data", data, "--audit-folder", record);
    onTestFinished(hub.kill);
    if (!hub.ready) throw new Error("the hub did not start");
    const scene = new Scene(hub.ready, seeds, capture, { replyTo: hooks.url });
    onTestFinished(() => scene.close());
    await runStory(scene, place);
    await hooks.keep();
    breakPolicy(folder, seeds);
    await warned(hub.ready.http);
    const backup = join(folder, "backup.db");
    await runCommand(folder, capture, "store", "backup", "--data", data, backup);
    await runCommand(folder, capture, "store", "check", "--data", data);
    expect([data, backup, `${backup}.key`].flatMap(openToOthers)).toEqual([]);
    await hub.stop();
    await runCommand(folder, capture, "audit", "verify", "--data", data);
    await runCommand(folder, capture, "project", "check", folder);
    expect(openToOthers(record)).toEqual([]);
    dumpStore(data, capture, seeds.planter);
    dumpDatabase(backup, capture);
    dumpFiles(record, capture);
    dumpRepository(place, capture);

    const search = new Search(seeds.aviary);
    const leaks = [...capture.channels].flatMap(([channel, output]) =>
      output.flatMap((one) => search.find(channel, one)),
    );
    expect(leaks.filter((leak) => !isAllowed(leak))).toEqual([]);
    // The hub made branches and commits of its own.
    for (const channel of ["repository branches", "repository commits", "files of places"])
      expect(String(capture.channels.get(channel)), channel).toMatch(/baton\/|places\//);
    // Canaries did come this far, and were masked here.
    for (const channel of masked) {
      const output = (capture.channels.get(channel) ?? []).map((one) => Buffer.from(one).toString("latin1"));
      expect(output.join("\n").includes("[redacted:"), channel).toBe(true);
    }
  });

  it("[OBS-05] are in no byte of a store's files, as they lie on the disk, when agents reported no turns", async () => {
    const folder = newFolder();
    const seeds = new Seeds();
    const capture = new Capture();
    const place = makeStoryFiles(folder, seeds);
    const data = join(folder, "data");
    const hub = await startHub(folder, capture, {}, "--data", data);
    onTestFinished(hub.kill);
    if (!hub.ready) throw new Error("the hub did not start");
    const scene = new Scene(hub.ready, seeds, new Capture(), { reportsTurns: false });
    onTestFinished(() => scene.close());
    await runShortStory(scene, place);
    dumpRawStore(data, capture);
    expect(capture.channels.get("raw baton.db-wal")?.[0]?.length).toBeGreaterThan(100_000);
    await hub.stop();
    dumpRawStore(data, capture);
    const search = new Search(seeds.aviary);
    const output = [...capture.channels].filter(([channel]) => channel.startsWith("raw "));
    expect(output.flatMap(([channel, bytes]) => bytes.flatMap((one) => search.find(channel, one)))).toEqual(
      [],
    );
  });

  it("[OBS-05] in files that a hub cannot start with are not in what it prints", async () => {
    const folder = newFolder();
    const seeds = new Seeds();
    const capture = new Capture();
    const { planter } = seeds;
    mkdirSync(join(folder, "config"));
    const wrong = (name: string, text: string) => writeFileSync(join(folder, name), text);
    wrong(
      "config/routing-policy.yaml",
      `routing_policy:\n  ${planter.word("a key")}: 1\n  version: [${planter.word("x")}]\n`,
    );
    wrong("config/pipeline-templates.yaml", `${planter.text("a template file")}\n`);
    wrong("hub.yaml", `${planter.word("a setting")}: 1\nlog_level: ${planter.word("a level")}\n`);
    const args = [
      "--config",
      "hub.yaml",
      "--grace",
      planter.word("a duration"),
      `--${planter.word("an option")}`,
    ];
    const hub = await startHub(folder, capture, { BATON_LOG_LEVEL: planter.word("a variable") }, ...args);
    expect(hub.ready).toBeUndefined();
    await runCommand(folder, capture, "store", planter.word("a command"));
    const search = new Search(seeds.aviary);
    const output = [...capture.channels.values()].flat();
    expect(output.length).toBeGreaterThan(0);
    expect(output.flatMap((one) => search.find("start", one))).toEqual([]);
  });
});
