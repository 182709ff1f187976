import { resolve } from "node:path";
import { type EgressFilter, StoreUnavailable } from "@baton/runtime";
import { defaultData } from "../config/load-config.ts";
import { describeProblems } from "../files/problem.ts";
import { exitCodes, print } from "./print.ts";

export interface DataArguments {
  /** Default: the environment's, or `.baton`. */
  readonly data: string | undefined;
  /** Prints answers and errors as lines of JSON. */
  readonly json?: boolean | undefined;
}

export interface DataCommand<Arguments extends DataArguments> {
  readonly name: string;
  readonly usage: string;
  /** Undefined for invalid arguments. */
  readonly read: (args: readonly string[]) => Arguments | undefined;
  /** Returns the exit code. */
  readonly work: (folder: string, options: Arguments) => Promise<number>;
}

/** Runs a command on a data folder, and reports invalid arguments and a store that cannot be opened. */
export async function runOnData<Arguments extends DataArguments>(
  { name, usage, read, work }: DataCommand<Arguments>,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  filter: EgressFilter,
): Promise<number> {
  const options = read(args);
  if (options === undefined) {
    const message = `"${name} ${args.join(" ")}" is not known`;
    const problem = { code: "BATON-SERVER-011", at: "the command line", message, fix: `write ${usage}` };
    print(process.stderr, describeProblems([problem]), filter);
    return exitCodes.misconfigured;
  }
  try {
    return await work(resolve(options.data ?? (env.BATON_DATA || defaultData)), options);
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    const { code, message, fix } = error;
    const text = options.json ? JSON.stringify({ code, message, fix }) : `${code}  ${message}\n  fix: ${fix}`;
    print(process.stderr, text, filter);
    return exitCodes.noStore;
  }
}
