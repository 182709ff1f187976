import { availableParallelism } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { startBuiltPrograms } from "./scripts/programs/built-programs.ts";

/** A time limit tells how busy the machine is, not whether the code is right. This one only ends what hangs. */
const hangsMs = 10 * 60_000;

/** Short files with long tests: vitest begins with the largest files, so these would be the last, and the other workers idle. */
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
    // To start a program takes a process as long as it is large (60 ms for a gigabyte), and every thread has to wait.
    pool: "forks",
    // Tests of programs wait more than they compute. vitest would take one worker on a machine with two cores.
    maxWorkers: Math.max(3, availableParallelism()),
    // Files share a worker, which saves a third of the run; what a test stubs or mocks goes away with the test.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    unstubEnvs: true,
    restoreMocks: true,
    // Advice on how to run vitest is for us, not for whoever runs the tests.
    experimental: { diagnostics: false },
    testTimeout: hangsMs,
    hookTimeout: hangsMs,
    // What is waited for comes when the machine gets to it.
    expect: { poll: { timeout: 60_000 } },
    env: {
      // Enough cases to catch a mistake in seconds; `npm run fuzz` sets many more.
      BATON_FUZZ_RUNS: process.env.BATON_FUZZ_RUNS ?? "200",
      // To start a program copies the page tables of the worker: 50 ms for a gigabyte outside of V8's heap. With huge pages 1 ms.
      GLIBC_TUNABLES: "glibc.malloc.hugetlb=1",
      // Every hub has threads and most have agents, with the same sources each time: they are compiled once. The programs
      // of apps/ keep what they compile in the same place.
      NODE_COMPILE_CACHE: join(import.meta.dirname, "node_modules", ".cache", "baton"),
    },
  },
});
