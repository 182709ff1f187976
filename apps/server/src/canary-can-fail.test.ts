import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { WayOut } from "@baton/runtime";
import { describe, expect, it, onTestFinished } from "vitest";
import { Capture } from "../testing/canary/capture.ts";
import { dumpStore } from "../testing/canary/dump-store.ts";
import { startHubHere } from "../testing/canary/hub-here.ts";
import { LeakyFilter } from "../testing/canary/leaky-filter.ts";
import { makePlace } from "../testing/canary/place.ts";
import { Scene, Seeds } from "../testing/canary/scene.ts";
import { Search } from "../testing/canary/search.ts";
import { tellShortStory } from "../testing/canary/story.ts";

/** Every way out, and where something is found when its entrance is open. */
const ways: Readonly<Record<WayOut, readonly string[]>> = {
  audit: ["store audit", "answer ListAuditEntries"],
  listing: ["store views", "store escalations", "store pipelines"],
  event: ["store events", "event WatchEvents", "event sse"],
  answer: ["answer GetPipeline", "answer SubmitTask"],
  error: ["error SubmitTask", "error http"],
  agent: ["agent dispatch"],
  log: ["log"],
};

describe("the search for canaries", { timeout: 120_000 }, () => {
  it.each(Object.entries(ways) as [WayOut, readonly string[]][])(
    "[OBS-05] finds them when the filter is off for %s, and there alone",
    async (way, channels) => {
      const folder = mkdtempSync(join(tmpdir(), "baton-leak-"));
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
      const seeds = new Seeds();
      const capture = new Capture();
      const place = makePlace(folder, seeds);
      const data = join(folder, "data");
      const hub = await startHubHere(folder, data, capture, new LeakyFilter(way));
      const scene = new Scene(hub, seeds, capture);
      await tellShortStory(scene, place);
      hub.log.error({ err: new Error(seeds.planter.text("an error")) }, "a problem of the hub");
      scene.close();
      await hub.stop();
      dumpStore(data, capture);

      const search = new Search(seeds.aviary);
      const found = new Set(
        [...capture.channels].flatMap(([channel, said]) =>
          said.some((one) => search.find(channel, one).length > 0) ? [channel] : [],
        ),
      );
      for (const channel of channels) expect(found).toContain(channel);
      const others = Object.entries(ways).flatMap(([other, known]) => (other === way ? [] : known));
      expect(others.filter((channel) => found.has(channel))).toEqual([]);
    },
  );
});
