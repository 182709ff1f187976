/** Blocks that the tests do not execute, and why. An entry without a block fails the tests. */
export const notFollowed: readonly {
  readonly page: string;
  readonly beginning: string;
  readonly reason: string;
}[] = [
  {
    page: "README.md",
    beginning: "npm start",
    reason: "the demonstration has a test of its own: apps/cli/src/demo/demo.test.ts",
  },
  {
    page: "README.md",
    beginning: "[...]\nimplement",
    reason: "output of the demonstration, which has a test of its own: apps/cli/src/demo/demo.test.ts",
  },
  {
    page: "README.md",
    beginning: "npm test",
    reason: "it would run this test again",
  },
  {
    page: "docs/how-to/check-an-agent.md",
    beginning: "npx node conformance/agent/check.ts --transport grpc",
    reason: "needs Python with gRPC: conformance/agent/agents.test.ts runs it where there is one",
  },
  {
    page: "docs/how-to/check-an-agent.md",
    beginning: "npx node conformance/agent/check.ts --transport http-json",
    reason: "needs an agent that listens: conformance/agent/agents.test.ts checks one",
  },
  {
    page: "docs/how-to/submit-governed-tasks.md",
    beginning: "npx node conformance/sap/check.ts",
    reason: "has tests of its own: conformance/sap/check.test.ts and conformance/sap/hub.test.ts",
  },
  {
    page: "docs/how-to/use-claude-code.md",
    beginning: "npx baton run --task-type feature-implementation",
    reason: "needs Claude Code, signed in",
  },
  {
    page: "docs/how-to/operate-the-hub.md",
    beginning: "useradd",
    reason: "changes the users of the machine",
  },
  {
    page: "docs/how-to/operate-the-hub.md",
    beginning: "systemctl",
    reason: "needs systemd, and changes the services of the machine",
  },
];
