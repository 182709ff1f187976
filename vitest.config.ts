import { availableParallelism } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { startBuiltPrograms } from "./scripts/programs/built-programs.ts";

/** Ends tests that hang. A shorter limit would measure the load of the machine, not the code. */
const hangsMs = 10 * 60_000;

/** Short files with long tests. vitest starts with the largest files, so these would be last, with idle workers beside them. */
const longest = [
  "packages/runtime/src/api/rewind-walk.test.ts",
  "conformance/connectors/connectors.test.ts",
  "chaos/chaos.test.ts",
  "apps/cli/guides/guides.test.ts",
  "simulation/simulation.test.ts",
  "apps/server/src/canary-can-fail.test.ts",
  "apps/dashboard/e2e/stability.test.ts",
  "apps/dashboard/e2e/keyboard.test.ts",
  "apps/dashboard/e2e/scale.test.ts",
  "apps/cli/src/demo/demo.test.ts",
  "apps/cli/src/commands/audit/audit.test.ts",
  "apps/server/src/canary.test.ts",
  "apps/server/src/slow-watcher.test.ts",
  "packages/runtime/src/stores/sqlite/sqlite-store.test.ts",
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => longest.some((file) => moduleId.endsWith(`/${file}`));
    const { long = [], others = [] } = Object.groupBy(await super.sort(files), (file) =>
      isLong(file) ? "long" : "others",
    );
    return [...long, ...others];
  }
}

export default defineConfig({
  plugins: [startBuiltPrograms()],
  test: {
    globalSetup: ["scripts/programs/global-setup.ts"],
    include: ["**/*.test.{ts,tsx}"],
    // Forking takes 60 ms per gigabyte of the process, and blocks all of its threads.
    pool: "forks",
    // Tests of programs wait more than they compute. vitest would take one worker on a machine with two cores.
    maxWorkers: Math.max(3, availableParallelism()),
    // Files share a worker, which saves a third of the run; stubs and mocks are restored after each test.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    unstubEnvs: true,
    restoreMocks: true,
    // Advice on how to run vitest is for maintainers of this file only.
    experimental: { diagnostics: false },
    testTimeout: hangsMs,
    hookTimeout: hangsMs,
    // Long enough for a busy machine.
    expect: { poll: { timeout: 60_000 } },
    env: {
      // Finds mistakes in seconds; `npm run fuzz` sets more.
      BATON_FUZZ_RUNS: process.env.BATON_FUZZ_RUNS ?? "200",
      // Forking copies the page tables of the worker: 50 ms per gigabyte outside of V8's heap, 1 ms with huge pages.
      GLIBC_TUNABLES: "glibc.malloc.hugetlb=1",
      // Hubs, their threads and agents load the same sources each time, so they are compiled once. The programs of apps/
      // use the same cache.
      NODE_COMPILE_CACHE: join(import.meta.dirname, "node_modules", ".cache", "baton"),
    },
  },
});
