/** The reporter that `npm test` adds to vitest's own: a file for tally.ts, and nothing on the terminal. */
import { writeFileSync } from "node:fs";
import type { Reporter, TestModule } from "vitest/node";
import type { Report } from "./tally.ts";

/** Names the file to write. */
export const reportVariable = "BATON_TEST_REPORT";

export default class FileReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const path = process.env[reportVariable];
    if (path === undefined) throw new Error(`${reportVariable} does not say where the report goes`);
    const report: Report = { testResults: modules.map(describe) };
    writeFileSync(path, JSON.stringify(report));
  }
}

function describe(module: TestModule): Report["testResults"][number] {
  const tests = [...module.children.allTests()];
  return {
    name: module.moduleId,
    status: module.state(),
    assertionResults: tests.map((test) => ({ status: test.result().state, fullName: test.fullName })),
  };
}
