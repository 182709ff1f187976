import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCommand } from "../run-command.ts";
import { bubblewrap } from "./bubblewrap.ts";
import { findOnPath, findProgram } from "./find-program.ts";
import { namespaces, type SystemTools } from "./namespaces.ts";
import { withOwnFolder } from "./own-folder.ts";
import { plain } from "./plain.ts";
import { defaultSandboxSettings, type Sandbox, type SandboxKind, type SandboxSettings } from "./sandbox.ts";

/**
 * `auto` takes the best that works of those that hide the hub's data, its keys and the home; `required` takes bubblewrap or
 * nothing. `plain` hides nothing: it is taken when it is named, or by `any` when nothing else works.
 */
export const sandboxChoices = ["auto", "required", "any", "bubblewrap", "namespaces", "plain"] as const;
export type SandboxChoice = (typeof sandboxChoices)[number];

/** Nothing that was asked for works here: nothing is run. */
export interface NoSandbox {
  readonly kind: "none";
  readonly reason: string;
}

const wanted: Readonly<Record<SandboxChoice, readonly SandboxKind[]>> = {
  auto: ["bubblewrap", "namespaces"],
  required: ["bubblewrap"],
  any: ["bubblewrap", "namespaces", "plain"],
  bubblewrap: ["bubblewrap"],
  namespaces: ["namespaces"],
  plain: ["plain"],
};

const probeLimits = { timeoutMs: 10_000, outputBytes: 2_048 } as const;

/**
 * The sandbox to run commands in. Each is tried by really running something in it: in a container it may be installed and
 * not be permitted.
 */
export async function findSandbox(
  choice: SandboxChoice = "auto",
  settings: Partial<SandboxSettings> = {},
): Promise<Sandbox | NoSandbox> {
  const given = { ...defaultSandboxSettings, ...settings, hidden: await realPaths(settings.hidden ?? []) };
  const tools = findTools();
  const faults: string[] = [];
  for (const kind of wanted[choice]) {
    const made = make(kind, tools, given);
    const fault = typeof made === "string" ? made : await probe((more) => make(kind, tools, more), given);
    if (fault === undefined && typeof made !== "string") return withFaults(made, faults);
    faults.push(`${kind}: ${fault}`);
  }
  return { kind: "none", reason: faults.join("; ") };
}

function findTools(): SystemTools & { readonly bwrap: string | undefined } {
  if (process.platform !== "linux") return { bwrap: undefined };
  const [bwrap, unshare, prlimit, setpriv] = ["bwrap", "unshare", "prlimit", "setpriv"].map((name) =>
    findOnPath(name),
  );
  return { bwrap, unshare, prlimit, setpriv };
}

function make(
  kind: SandboxKind,
  tools: ReturnType<typeof findTools>,
  settings: SandboxSettings,
): Sandbox | string {
  const { bwrap, unshare, setpriv, prlimit } = tools;
  switch (kind) {
    case "bubblewrap":
      return bwrap === undefined ? "bwrap is not installed" : bubblewrap(bwrap, prlimit, settings);
    case "namespaces":
      return unshare === undefined || setpriv === undefined
        ? "unshare and setpriv are not installed"
        : namespaces(unshare, setpriv, tools, settings);
    case "plain":
      return plain(tools, settings);
  }
}

/**
 * Why it does not work, if it does not: something is run in it, and looks for a file that is to be hidden. `plain` hides
 * nothing.
 */
async function probe(
  make: (settings: SandboxSettings) => Sandbox | string,
  settings: SandboxSettings,
): Promise<string | undefined> {
  const found = findProgram("test", "/nowhere");
  if (!found.ok) return found.reason;
  const folder = await mkdtemp(join(await realpath(tmpdir()), "baton-probe-"));
  const [directory, hidden] = [join(folder, "work"), join(folder, "hidden")];
  try {
    for (const path of [directory, hidden]) await mkdir(path);
    await writeFile(join(hidden, "secret"), "");
    const sandbox = make({ ...settings, hidden: [...settings.hidden, hidden] });
    if (typeof sandbox === "string") return sandbox;
    const looked = sandbox.kind === "plain" ? folder : join(hidden, "secret");
    const args = sandbox.kind === "plain" ? ["-e", looked] : ["!", "-e", looked];
    return await withOwnFolder(async (own) => {
      const enclosed = sandbox.enclose({ ...found, args }, { directory, own });
      const spec = { file: enclosed.file, args: enclosed.args, directory, onlyEnv: enclosed.env };
      const { exitCode, output } = await runCommand(spec, probeLimits, new AbortController().signal);
      if (exitCode === 0) return undefined;
      return (
        output.trim() ||
        (exitCode === 1 ? "it does not hide files" : `it ended with ${exitCode ?? "a signal"}`)
      );
    });
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Whoever reads what a weaker one lacks also reads why there is no better one. */
function withFaults(sandbox: Sandbox, faults: readonly string[]): Sandbox {
  if (faults.length === 0) return sandbox;
  return { ...sandbox, warning: `${sandbox.warning} (${faults.join("; ")})` };
}

/** Links are followed, so that nothing is seen by its other name. */
function realPaths(paths: readonly string[]): Promise<readonly string[]> {
  return Promise.all(paths.map((path) => realpath(path).catch(() => path)));
}
