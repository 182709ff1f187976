import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["**/*.test.{ts,tsx}"],
    // Threads end with the run when it is interrupted; worker processes would go on by themselves.
    pool: "threads",
    // Enough cases to catch a mistake in seconds; `npm run fuzz` sets many more.
    env: { BATON_FUZZ_RUNS: process.env.BATON_FUZZ_RUNS ?? "500" },
  },
});
