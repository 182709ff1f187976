/**
 * What any agent has to do, in whatever language it is written (TRN-01; docs/reference/agent-protocols.md).
 *
 * The suite knows the agent only by its transport. Cases run one after the other against the same agent, each with the
 * types of task that docs/how-to/check-an-agent.md describes.
 */
import type { AgentUnderTest } from "./agent-under-test.ts";
import { AttachedAgent } from "./attached-agent.ts";
import { CalledAgent } from "./called/called-agent.ts";
import type { Case } from "./case.ts";
import { callCases } from "./cases/call-cases.ts";
import { envelopeCases } from "./cases/envelope-cases.ts";
import { heartbeatsCase, introductionCases, leaseCases } from "./cases/introduction.ts";
import { resumeCases } from "./cases/resume-cases.ts";
import { stepCases } from "./cases/step-cases.ts";
import { stopCases } from "./cases/stop-cases.ts";
import { streamCases } from "./cases/stream-cases.ts";
import { workCases } from "./cases/work-cases.ts";
import { Complaints } from "./complaints.ts";
import { HubSide } from "./hub/hub-side.ts";
import { type AgentOptions, meetAgent } from "./meet-agent.ts";
import { type CaseReport, verdictOf, withComplaints } from "./report.ts";

export interface SuiteOptions extends AgentOptions {
  /** Called with the address of the suite's hub, before it waits for the agent. What it throws ends the suite. */
  readonly onListening?: (hub: string) => void | Promise<void>;
  /** Called after each case. */
  readonly onCase?: (report: CaseReport) => void;
}

/** Runs all cases against one agent. Rejects only when the suite itself cannot work. */
export async function checkAgent(options: SuiteOptions): Promise<readonly CaseReport[]> {
  const { transport, address, listen, onListening = () => {}, onCase = () => {} } = options;
  const complaints = new Complaints();
  const needsHub = transport === "attached" || address === undefined || listen !== undefined;
  const place = listen ?? { host: "127.0.0.1", port: 0 };
  const hub = needsHub ? await HubSide.start(place, complaints) : undefined;
  const reports: CaseReport[] = [];
  let agent: AgentUnderTest | undefined;

  /** A case passes when it succeeds and the agent violated nothing in the meantime. */
  async function judge({ id, title, run }: Case): Promise<void> {
    const ended = await run().then(() => ({ verdict: "pass" }) as const, verdictOf);
    const report = { id, title, ...withComplaints(ended, complaints.take()) };
    reports.push(report);
    onCase(report);
  }

  try {
    if (hub) await onListening(hub.address);
    await judge({
      id: "arrival",
      title: "comes, and can be given work",
      run: async () => {
        agent = await meetAgent(options, hub, complaints);
      },
    });
    for (const one of agent ? casesFor(agent, hub) : []) await judge(one);
  } finally {
    if (agent instanceof CalledAgent) agent.close();
    await hub?.stop();
  }
  return reports;
}

function casesFor(agent: AgentUnderTest, hub: HubSide | undefined): readonly Case[] {
  return inOrder(agent, hub).map((one) => ({
    ...one,
    async run() {
      await agent.ready();
      await one.run();
    },
  }));
}

function inOrder(agent: AgentUnderTest, hub: HubSide | undefined): readonly Case[] {
  const first = [...introductionCases(agent), ...workCases(agent)];
  const second = [...stopCases(agent), ...envelopeCases(agent), ...stepCases(agent)];
  if (agent instanceof AttachedAgent) {
    // An agent may take short streams for failures and wait longer each time, so the loss comes between other cases.
    return [...first, ...resumeCases(agent), ...second, heartbeatsCase(agent), ...streamCases(agent)];
  }
  const called = agent instanceof CalledAgent ? [...leaseCases(agent, hub), ...callCases(agent)] : [];
  return [...first, ...second, ...called];
}
