/** Runs the checklist of SAP V2 §12 against an endpoint, and prints one line per row and the counts; see `--help`. */
import { checkEndpoint, countsOf, lineOf } from "./suite.ts";
import { readArguments, UsageError, usage } from "./usage.ts";

process.exitCode = await check();

/** Zero when nothing failed, one when something did, two when the suite could not run. */
async function check(): Promise<number> {
  try {
    const options = readArguments(process.argv.slice(2), process.env);
    if (options === "help") {
      console.log(usage);
      return 0;
    }
    const reports = await checkEndpoint(options, (report) => console.log(lineOf(report)));
    console.log(countsOf(reports));
    return reports.some(({ verdict }) => verdict === "fail") ? 1 : 0;
  } catch (error) {
    if (error instanceof UsageError) console.error(`${error.code}  ${error.message}\n\n${usage}`);
    else console.error(`BATON-CHECK-002  the endpoint cannot be reached: ${reasonOf(error)}`);
    return 2;
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
