import { relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import type { EgressFilter } from "@baton/runtime";
import { loadConfig } from "./config/load-config.ts";
import { type ConfigProblem, describeProblems, reasonOf, splitPlace } from "./config/problem.ts";
import { exitCodes } from "./exit-codes.ts";
import { print } from "./print.ts";
import { refusedByData } from "./project/register-packs.ts";
import { findOldSchemas, writeSchemas, writeStarter } from "./project/write-starter.ts";

const usage =
  "baton-server project check [FOLDER] [--config FILE], or baton-server project init [FOLDER] [--schemas]";

/** `project check` and `project init`: they work on the files alone, and write one line of JSON. Gives the exit code. */
export async function runProjectCommand(
  args: readonly string[],
  filter: EgressFilter,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<number> {
  const asked = readArguments(args);
  if (asked === undefined) {
    const message = `"project ${args.join(" ")}" is not known`;
    return fail({ code: "BATON-SERVER-011", at: "the command line", message, fix: `write ${usage}` }, filter);
  }
  const { verb, folder, config } = asked;
  if (verb === "init") return init(folder, asked.schemas ? writeSchemas : writeStarter, filter);
  const named = config === undefined ? [] : ["--config", config];
  return check(folder, ["--project", folder, ...named], env, filter);
}

function init(folder: string, write: typeof writeStarter, filter: EgressFilter): number {
  try {
    answer({ folder, files: write(folder) }, filter);
    return exitCodes.stopped;
  } catch (error) {
    const message = `nothing can be written here: ${reasonOf(error)}`;
    const fix = "name a folder that may be written to";
    return fail({ code: "BATON-SERVER-013", at: folder, message, fix }, filter);
  }
}

/** What is wrong is what was asked for, so it goes to standard output. */
async function check(
  folder: string,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  filter: EgressFilter,
): Promise<number> {
  const reading = loadConfig(args, env, process.cwd());
  const { warnings, files } = reading;
  const refused = reading.ok
    ? await refusedByData(reading.config.data, reading.config.storeKey, reading.config.project.packFiles)
    : [];
  const problems = [...reading.problems, ...refused];
  const found = [
    ...problems.map((problem) => ({ severity: "error", ...placed(problem) })),
    ...[...warnings, ...findOldSchemas(folder)].map((problem) => ({
      severity: "warning",
      ...placed(problem),
    })),
  ];
  answer({ files: files.map(shown), problems: found }, filter);
  return problems.length > 0 ? exitCodes.misconfigured : exitCodes.stopped;
}

function placed({ code, at, message, fix }: ConfigProblem) {
  const { path, line, column } = splitPlace(at);
  return { code, path: shown(path), ...(line !== undefined && { line, column }), message, fix };
}

/** As short as a person would write it; what is elsewhere, or no path at all, stays whole. */
function shown(path: string): string {
  const short = path.startsWith("/") ? relative(process.cwd(), path) : path;
  return short.startsWith("..") || short === "" ? path : short;
}

/** It may quote what the files say. */
function answer(value: unknown, filter: EgressFilter): void {
  process.stdout.write(`${JSON.stringify(filter.at("log").redactValue(value).value)}\n`);
}

function fail(problem: ConfigProblem, filter: EgressFilter): number {
  print(process.stderr, describeProblems([problem]), filter);
  return exitCodes.misconfigured;
}

function readArguments(args: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { config: { type: "string" }, schemas: { type: "boolean", default: false } },
      allowPositionals: true,
    });
    const [verb, folder = ".", ...more] = positionals;
    if (more.length > 0 || (verb !== "check" && verb !== "init")) return undefined;
    const isForOther = verb === "init" ? values.config !== undefined : values.schemas;
    return isForOther ? undefined : { verb, folder: resolve(folder), ...values };
  } catch {
    return undefined; // An option that is not known.
  }
}
