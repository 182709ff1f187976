import { resolve } from "node:path";
import { type EgressFilter, StoreUnavailable } from "@baton/runtime";
import { defaultData } from "./config/load-config.ts";
import { describeProblems } from "./config/problem.ts";
import { exitCodes } from "./exit-codes.ts";
import { print } from "./print.ts";

/** What a command was asked for; the folder comes from the environment, or is the usual one, when nobody names it. */
export interface AskedOfData {
  readonly data: string | undefined;
  /** Answers and errors as lines of JSON. */
  readonly json?: boolean | undefined;
}

export interface DataCommand<Asked extends AskedOfData> {
  /** Its name, and how it is written. */
  readonly name: string;
  readonly usage: string;
  /** Undefined when the arguments cannot be understood. */
  readonly read: (args: readonly string[]) => Asked | undefined;
  /** Gives the exit code. */
  readonly work: (folder: string, asked: Asked) => Promise<number>;
}

/** Runs a command on a data folder: one that cannot be understood, or whose folder cannot be opened, says so. */
export async function runOnData<Asked extends AskedOfData>(
  { name, usage, read, work }: DataCommand<Asked>,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  filter: EgressFilter,
): Promise<number> {
  const asked = read(args);
  if (asked === undefined) {
    const message = `"${name} ${args.join(" ")}" is not known`;
    const problem = { code: "BATON-SERVER-011", at: "the command line", message, fix: `write ${usage}` };
    print(process.stderr, describeProblems([problem]), filter);
    return exitCodes.misconfigured;
  }
  try {
    return await work(resolve(asked.data ?? (env.BATON_DATA || defaultData)), asked);
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    const { code, message, fix } = error;
    const text = asked.json ? JSON.stringify({ code, message, fix }) : `${code}  ${message}\n  fix: ${fix}`;
    print(process.stderr, text, filter);
    return exitCodes.noStore;
  }
}
