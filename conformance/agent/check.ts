/** Runs the suite against one agent, and prints one line per case and the counts; see `--help`. */
import { AgentProcess } from "./agent-process.ts";
import { countsOf, lineOf } from "./report.ts";
import { checkAgent } from "./suite.ts";
import { readArguments, UsageError, usage } from "./usage.ts";

process.exitCode = await check();

/** Zero when nothing failed, one when something did, two when the suite could not run. */
async function check(): Promise<number> {
  let agent: AgentProcess | undefined;
  try {
    const { options, command, wantsHelp } = readArguments(
      process.argv.slice(2),
      process.env.BATON_AGENT_TOKEN,
    );
    if (wantsHelp) {
      console.log(usage);
      return 0;
    }
    const isStarted = command.length > 0;
    const isOnlyCalled = options.address !== undefined && options.listen === undefined;
    if (isStarted && options.transport !== "attached" && isOnlyCalled) {
      agent = await AgentProcess.start(command);
    }
    const reports = await checkAgent({
      ...options,
      async onListening(hub) {
        if (isStarted) agent = await AgentProcess.start(command, hub);
        else console.error(`waiting for the agent: start it with BATON_HUB=${hub}`);
      },
      onCase: (report) => console.log(lineOf(report)),
    });
    console.log(countsOf(reports));
    return reports.some(({ verdict }) => verdict === "fail") ? 1 : 0;
  } catch (error) {
    console.error(error instanceof UsageError ? `${error.code}  ${error.message}\n\n${usage}` : error);
    return 2;
  } finally {
    await agent?.end();
  }
}
