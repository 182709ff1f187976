import { relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { encodeJson, TemplateSchema } from "@baton/contract";
import type { EgressFilter } from "@baton/runtime";
import { create } from "@bufbuild/protobuf";
import { loadConfig } from "../config/load-config.ts";
import { type ConfigProblem, describeProblems, reasonOf, splitPosition } from "../files/problem.ts";
import { readWorkflowFile } from "../project/read-workflow-file.ts";
import { refusedByData } from "../project/register-packs.ts";
import { findOldSchemas, writeSchemas, writeStarter } from "../project/write-starter.ts";
import { exitCodes, print } from "./print.ts";

const usage =
  "baton-server project check [FOLDER] [--config FILE], project init [FOLDER] [--schemas], or project workflow FILE";

/** `project check`, `project init` and `project workflow`: work on files only, and print one line of JSON. Returns the exit code. */
export async function runProjectCommand(
  args: readonly string[],
  filter: EgressFilter,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<number> {
  const options = readArguments(args);
  if (options === undefined) {
    const message = `"project ${args.join(" ")}" is not known`;
    return fail({ code: "BATON-SERVER-011", at: "the command line", message, fix: `write ${usage}` }, filter);
  }
  const { verb, folder, config } = options;
  if (verb === "workflow") return showWorkflow(folder, filter);
  if (verb === "init") return init(folder, options.schemas ? writeSchemas : writeStarter, filter);
  const named = config === undefined ? [] : ["--config", config];
  return check(folder, ["--project", folder, ...named], env, filter);
}

function init(folder: string, write: typeof writeStarter, filter: EgressFilter): number {
  try {
    answer({ folder, files: write(folder) }, filter);
    return exitCodes.stopped;
  } catch (error) {
    const message = `the folder cannot be written to: ${reasonOf(error)}`;
    const fix = "name a writable folder";
    return fail({ code: "BATON-SERVER-013", at: folder, message, fix }, filter);
  }
}

/** Prints problems to standard output: they are the result. */
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
    ...problems.map((problem) => ({ severity: "error", ...describe(problem) })),
    ...[...warnings, ...findOldSchemas(folder)].map((problem) => ({
      severity: "warning",
      ...describe(problem),
    })),
  ];
  answer({ files: files.map(shorten), problems: found }, filter);
  return problems.length > 0 ? exitCodes.misconfigured : exitCodes.stopped;
}

function describe({ code, at, message, fix }: ConfigProblem) {
  const { path, line, column } = splitPosition(at);
  return { code, path: shorten(path), ...(line !== undefined && { line, column }), message, fix };
}

/** The workflow of a file, read with the other workflows of its folder and the packs beside that folder. */
function showWorkflow(path: string, filter: EgressFilter): number {
  const { template, problems } = readWorkflowFile(path);
  const found = problems.map((problem) => ({ severity: "error", ...describe(problem) }));
  const workflow = template && encodeJson(TemplateSchema, create(TemplateSchema, template));
  answer({ ...(workflow && { workflow }), problems: found }, filter);
  return workflow === undefined ? exitCodes.misconfigured : exitCodes.stopped;
}

/** Relative to the working folder where the path is inside it. */
function shorten(path: string): string {
  const short = path.startsWith("/") ? relative(process.cwd(), path) : path;
  return short.startsWith("..") || short === "" ? path : short;
}

/** Redacted: problems may quote the files. */
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
    if (verb === "workflow" && positionals.length === 2) return { verb, folder: resolve(folder), ...values };
    if (more.length > 0 || (verb !== "check" && verb !== "init")) return undefined;
    const isForOther = verb === "init" ? values.config !== undefined : values.schemas;
    return isForOther ? undefined : { verb, folder: resolve(folder), ...values };
  } catch {
    return undefined; // An unknown option.
  }
}
