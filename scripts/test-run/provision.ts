/**
 * System components that some suites need and npm cannot give: found, or installed where that is allowed.
 *
 * Adding one is adding an entry to the table. Where a component is found, its path is in the environment under the
 * entry's variable, for the tests to use and to skip by.
 */
import { existsSync, globSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { capture } from "../command.ts";

export interface Component {
  readonly id: string;
  /** What does not run without it. */
  readonly neededBy: string;
  /** Holds the path: set by the user to choose one, and by us for the tests. */
  readonly variable: string;
  /** Names to try on PATH, then usual places; the first one that passes the probe is taken. */
  readonly candidates: readonly string[];
  /** Arguments with which the right program ends well. */
  readonly probe: readonly string[];
  readonly debianPackages: readonly string[];
}

const components: readonly Component[] = [
  {
    id: "python",
    neededBy: "the round trip of messages through Python",
    variable: "BATON_PYTHON",
    // The first python3 on PATH is often a version manager's, which does not see Debian's packages.
    candidates: ["python3", "/usr/bin/python3"],
    probe: ["-c", "import google.protobuf"],
    debianPackages: ["python3-protobuf"],
  },
  {
    id: "python-grpc",
    neededBy: "the agent in Python",
    variable: "BATON_PYTHON_GRPC",
    candidates: ["python3", "/usr/bin/python3"],
    probe: ["-c", "import google.protobuf, grpc"],
    debianPackages: ["python3-protobuf", "python3-grpcio"],
  },
  {
    id: "protoc",
    neededBy: "the suites that compile the contract with another compiler",
    variable: "BATON_PROTOC",
    candidates: ["protoc", "/usr/bin/protoc"],
    // It may be installed without the files that every contract imports.
    probe: ["--descriptor_set_out=/dev/null", "google/protobuf/descriptor.proto"],
    debianPackages: ["protobuf-compiler", "libprotobuf-dev"],
  },
  {
    id: "bubblewrap",
    neededBy: "the suites of the sandbox that commands are checked in",
    variable: "BATON_BWRAP",
    candidates: ["bwrap", "/usr/bin/bwrap"],
    // It may be installed and not permitted, as in many containers.
    probe: ["--unshare-all", "--die-with-parent", "--ro-bind", "/", "/", "--proc", "/proc", "true"],
    debianPackages: ["bubblewrap"],
  },
  {
    id: "chromium",
    neededBy: "the dashboard in a browser",
    variable: "BATON_CHROMIUM",
    candidates: ["chromium", "/usr/bin/chromium"],
    probe: ["--version"],
    debianPackages: ["chromium", "fonts-dejavu-core"],
  },
];

export interface Missing {
  readonly id: string;
  /** One line: what is missing, what is skipped without it, what gives it. */
  readonly message: string;
}

/** Finds every component, installs what is missing where it may, and reports what is still missing. */
export async function provision(wanted: readonly Component[] = components): Promise<Missing[]> {
  let missing = await lookFor(wanted);
  if (missing.length > 0 && mayInstall()) {
    await installPackages([...new Set(missing.flatMap((component) => component.debianPackages))]);
    missing = await lookFor(missing);
  }
  return missing.map((component) => ({ id: component.id, message: describe(component) }));
}

/** Gives back the components that were not found, and puts the paths of the others into the environment. */
async function lookFor(wanted: readonly Component[]): Promise<Component[]> {
  const paths = await Promise.all(wanted.map(find));
  return wanted.filter((component, index) => {
    const path = paths[index];
    if (path === undefined) delete process.env[component.variable];
    else process.env[component.variable] = path;
    return path === undefined;
  });
}

async function find(component: Component): Promise<string | undefined> {
  const chosen = process.env[component.variable];
  if (chosen) {
    if (await passesProbe(chosen, component)) return chosen;
    const tried = [chosen, ...component.probe].join(" ");
    console.error(`${component.variable} is set, but this fails: ${tried}; looking elsewhere`);
  }
  for (const candidate of component.candidates.flatMap(expand)) {
    if (await passesProbe(candidate, component)) return candidate;
  }
  return undefined;
}

/** A bare name stands for every program of that name on PATH: the first one is not always the right one. */
function expand(candidate: string): string[] {
  if (isAbsolute(candidate)) return [candidate];
  const folders = (process.env.PATH ?? "").split(delimiter).filter(Boolean);
  return folders.map((folder) => join(folder, candidate)).filter((path) => existsSync(path));
}

async function passesProbe(path: string, { probe }: Component): Promise<boolean> {
  return (await capture(path, probe)).code === 0;
}

/** `BATON_PROVISION=look` only looks, even where installing would be possible. */
function mayInstall(): boolean {
  const isDebian = existsSync("/etc/debian_version") && existsSync("/usr/bin/apt-get");
  return isDebian && process.getuid?.() === 0 && process.env.BATON_PROVISION !== "look";
}

async function installPackages(packages: readonly string[]): Promise<void> {
  console.error(`installing ${packages.join(", ")} (apt-get)`);
  const hasLists = globSync("/var/lib/apt/lists/*_Packages*").length > 0;
  if (!hasLists) await aptGet("update");
  let result = await aptGet("install", ...packages);
  if (result.code !== 0 && hasLists) {
    // Old lists name versions that the mirrors no longer hold.
    await aptGet("update");
    result = await aptGet("install", ...packages);
  }
  if (result.code !== 0) console.error(`apt-get install failed:\n${result.output}`);
}

function aptGet(verb: "update" | "install", ...packages: readonly string[]) {
  // Another apt-get may be at work: wait for it instead of failing.
  const options = [
    "-y",
    "--no-install-recommends",
    "-o",
    "DPkg::Lock::Timeout=120",
    "-o",
    "Acquire::Retries=2",
  ];
  return capture("apt-get", [...options, verb, ...packages], { DEBIAN_FRONTEND: "noninteractive" });
}

function describe({ id, neededBy, variable, debianPackages }: Component): string {
  return `${id} is missing: skips ${neededBy}; install ${debianPackages.join(" ")} (Debian), or set ${variable}`;
}
