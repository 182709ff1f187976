import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { baton, startHub } from "../testing/run.ts";

it("[TRN-03] a command becomes a specialist by its pack alone", async () => {
  const folder = await mkdtemp(join(tmpdir(), "baton-example-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await cp(import.meta.dirname, folder, { recursive: true });
  const url = await startHub(folder);
  const agents = await baton(folder, "agent", "list", "--hub", url).ended;
  expect(agents.stdout).toContain("release-notes");
  const submitted = await baton(folder, "run", "--file", "task.yaml", "--hub", url).ended;
  expect(submitted).toMatchObject({ code: 0 });
  const id = submitted.stdout.trim();
  const watched = await baton(folder, "pipeline", "watch", id, "--verbose", "--hub", url).ended;
  expect(watched.stdout).toContain("New: find pages by their headings");
  const printed = await baton(folder, "pipeline", "show", id, "--output", "json", "--hub", url).ended;
  expect(printed.stdout).toContain("- umlauts in titles");
});
