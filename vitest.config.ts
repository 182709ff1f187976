import { defineConfig } from "vitest/config";

/** A time limit tells how busy the machine is, not whether the code is right. This one only ends what hangs. */
const hangsMs = 10 * 60_000;

export default defineConfig({
  test: {
    include: ["**/*.test.{ts,tsx}"],
    // Threads end with the run when it is interrupted; worker processes would go on by themselves.
    pool: "threads",
    testTimeout: hangsMs,
    hookTimeout: hangsMs,
    // Enough cases to catch a mistake in seconds; `npm run fuzz` sets many more.
    env: { BATON_FUZZ_RUNS: process.env.BATON_FUZZ_RUNS ?? "500" },
  },
});
