import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkSqlite } from "./maintenance/check.ts";
import { canMount, runWithMounts } from "./testing/processes.ts";
import { scratchForTest } from "./testing/scratch.ts";

describe.skipIf(!canMount())("a disk that does not take it (where a test may mount one)", () => {
  it("[PIP-11] says that it is full, keeps what it has acknowledged, and goes on once there is room", () => {
    const reported = runWithMounts(scratchForTest(), 'mount -t tmpfs -o size=4m tmpfs "$1"\nbaton fill "$1"');
    const { version, ...rest } = JSON.parse(reported);
    expect(version).toBeGreaterThan(3);
    expect(rest).toEqual({
      outcome: { code: "BATON-STORE-004", mayPass: true },
      again: { code: "BATON-STORE-004", mayPass: true },
      readWhenFull: version,
      withRoom: "done",
      afterwards: version + 1,
      faults: [],
    });
  });

  it("says that it must not be written to, and can still be read, checked and copied", async () => {
    const folder = scratchForTest();
    mkdirSync(join(folder, "store"));
    mkdirSync(join(folder, "store-copy"));
    const reported = runWithMounts(
      folder,
      `mount -t tmpfs tmpfs "$1/store"
       baton make "$1/store"
       mount -o remount,ro "$1/store"
       baton use "$1/store"`,
    );
    expect(JSON.parse(reported)).toEqual({
      toWrite: { code: "BATON-STORE-005", mayPass: false },
      read: 2,
      commit: { code: "BATON-STORE-005", mayPass: false },
      faults: [],
      backup: join(folder, "store-copy", "baton.db.key"),
    });
    const copied = join(folder, "store-copy");
    expect(await checkSqlite(copied, join(copied, "baton.db.key"))).toEqual([]);
  });
});
