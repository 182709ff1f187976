import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCommand } from "../run-command.ts";
import { bubblewrap } from "./bubblewrap.ts";
import { findOnPath, findProgram } from "./find-program.ts";
import { namespaces } from "./namespaces.ts";
import { withOwnFolder } from "./own-folder.ts";
import { plain } from "./plain.ts";
import { defaultSandboxSettings, type Sandbox, type SandboxKind, type SandboxSettings } from "./sandbox.ts";
import type { SystemTools } from "./system-tools.ts";

/**
 * `auto`: the best available of those that hide the hub's data, its keys and the home. `required`: bubblewrap or none.
 * `plain` hides nothing and is used when named, or by `any` as the last choice.
 */
export const sandboxChoices = ["auto", "required", "any", "bubblewrap", "namespaces", "plain"] as const;
export type SandboxChoice = (typeof sandboxChoices)[number];

/** No requested sandbox is available, so no command runs. */
export interface NoSandbox {
  readonly kind: "none";
  readonly reason: string;
}

const candidates: Readonly<Record<SandboxChoice, readonly SandboxKind[]>> = {
  auto: ["bubblewrap", "namespaces"],
  required: ["bubblewrap"],
  any: ["bubblewrap", "namespaces", "plain"],
  bubblewrap: ["bubblewrap"],
  namespaces: ["namespaces"],
  plain: ["plain"],
};

const probeLimits = { timeoutMs: 10_000, outputBytes: 2_048 } as const;

/**
 * Finds a sandbox for commands. Each is tested by running a program in it: inside a container it may be installed but
 * not permitted.
 */
export async function findSandbox(
  choice: SandboxChoice = "auto",
  settings: Partial<SandboxSettings> = {},
): Promise<Sandbox | NoSandbox> {
  const complete = { ...defaultSandboxSettings, ...settings, hidden: await realPaths(settings.hidden ?? []) };
  const tools = findTools();
  const failures: string[] = [];
  for (const kind of candidates[choice]) {
    const created = create(kind, tools, complete);
    const failure =
      typeof created === "string" ? created : await probe((more) => create(kind, tools, more), complete);
    if (failure === undefined && typeof created !== "string") return withFaults(created, failures);
    failures.push(`${kind}: ${failure}`);
  }
  return { kind: "none", reason: failures.join("; ") };
}

function findTools(): SystemTools & { readonly bwrap: string | undefined } {
  if (process.platform !== "linux") return { bwrap: undefined };
  const [bwrap, unshare, prlimit, setpriv, choom] = ["bwrap", "unshare", "prlimit", "setpriv", "choom"].map(
    (name) => findOnPath(name),
  );
  return { bwrap, unshare, prlimit, setpriv, choom };
}

function create(
  kind: SandboxKind,
  tools: ReturnType<typeof findTools>,
  settings: SandboxSettings,
): Sandbox | string {
  const { bwrap, unshare, setpriv } = tools;
  switch (kind) {
    case "bubblewrap":
      return bwrap === undefined ? "bwrap is not installed" : bubblewrap(bwrap, tools, settings);
    case "namespaces":
      return unshare === undefined || setpriv === undefined
        ? "unshare and setpriv are not installed"
        : namespaces(unshare, setpriv, tools, settings);
    case "plain":
      return plain(tools, settings);
  }
}

/** The reason why a sandbox does not work: a test program must not see a hidden file. `plain` hides nothing. */
async function probe(
  create: (settings: SandboxSettings) => Sandbox | string,
  settings: SandboxSettings,
): Promise<string | undefined> {
  const found = findProgram("test", "/nowhere");
  if (!found.ok) return found.reason;
  const folder = await mkdtemp(join(await realpath(tmpdir()), "baton-probe-"));
  const [directory, hidden] = [join(folder, "work"), join(folder, "hidden")];
  try {
    for (const path of [directory, hidden]) await mkdir(path);
    await writeFile(join(hidden, "secret"), "");
    const sandbox = create({ ...settings, hidden: [...settings.hidden, hidden] });
    if (typeof sandbox === "string") return sandbox;
    const target = sandbox.kind === "plain" ? folder : join(hidden, "secret");
    const args = sandbox.kind === "plain" ? ["-e", target] : ["!", "-e", target];
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

/** The warning of a weaker sandbox includes why no better one is available. */
function withFaults(sandbox: Sandbox, failures: readonly string[]): Sandbox {
  if (failures.length === 0) return sandbox;
  return { ...sandbox, warning: `${sandbox.warning} (${failures.join("; ")})` };
}

/** Follows links, so that nothing is visible by another name. */
function realPaths(paths: readonly string[]): Promise<readonly string[]> {
  return Promise.all(paths.map((path) => realpath(path).catch(() => path)));
}
