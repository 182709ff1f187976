/** Before the tests, and again before what has changed is tested: vitest runs it in its own process. */
import type { TestProject } from "vitest/node";
import { buildPrograms } from "./build-programs.ts";
import { builtPrograms } from "./built-programs.ts";

export default async function setUp(project: TestProject): Promise<void> {
  const build = async () => {
    process.env[builtPrograms] = await buildPrograms();
  };
  await build();
  project.onTestsRerun(build);
}
