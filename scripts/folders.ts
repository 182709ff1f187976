/**
 * Folders import one way, as packages do: at every folder of the tree, its child folders and its own files form a graph
 * without a cycle through a folder. A folder holds no more files than a reader takes in at once.
 */
import { readFileSync } from "node:fs";
import { dirname, posix } from "node:path";
import { failed, type Outcome, passedWith } from "./checks/step.ts";
import { findReferences } from "./references.ts";
import { findFiles, inTree } from "./tree.ts";

/** Source files of one folder, tests and testing/ apart. */
const maxFiles = 20;

export interface Import {
  readonly from: string;
  readonly to: string;
}

const reason = "a folder that is imported by what it imports cannot be read, tested or replaced alone";

const sources = "{packages,apps,conformance,simulation,chaos,bench,scripts}/**/*.{ts,tsx,mjs}";

export async function checkFolders(): Promise<Outcome> {
  const files = findFiles(sources).filter((file) => !isTest(file) && !/\/(gen|dist)\//.test(file));
  const known = new Set(files);
  const imports = files.flatMap((from) =>
    findReferences(from, readFileSync(inTree(from), "utf8"), nothing)
      .filter(({ kind, name }) => kind === "import" && name.startsWith("."))
      .map(({ name }) => ({ from, to: targetOf(from, name) }))
      .filter(({ to }) => known.has(to)),
  );
  const problems = [...findFolderCycles(imports), ...findCrowdedFolders(files)];
  return problems.length === 0 ? passedWith(`${files.length} files`) : failed(problems.join("\n"));
}

const nothing = { globals: new Set<string>(), members: new Set<string>() };

function isTest(file: string): boolean {
  return /\.test\.tsx?$|\/testing\//.test(file);
}

/** One message for each cycle, at the folder where it can be broken. */
export function findFolderCycles(imports: readonly Import[]): string[] {
  const folders = new Set(imports.flatMap(({ from, to }) => [...ancestors(from), ...ancestors(to)]));
  return [...folders].sort().flatMap((folder) => {
    const graph = graphWithin(folder, imports);
    return cyclesOf(graph)
      .filter((cycle) => cycle.some((name) => !isFile(name)))
      .map((cycle) => describeCycle(folder, cycle, graph));
  });
}

export function findCrowdedFolders(files: readonly string[]): string[] {
  const counted = files.filter((file) => !isTest(file));
  return [...Map.groupBy(counted, (file) => dirname(file))]
    .filter(([, group]) => group.length > maxFiles)
    .map(
      ([folder, group]) =>
        `${folder}  holds ${group.length} source files, and ${maxFiles} are allowed\n` +
        "  why:  nobody finds a file among so many\n  fix:  make folders of what belongs together",
    );
}

/** The target of a relative import, as a path of the tree. */
export function targetOf(file: string, specifier: string): string {
  return posix.normalize(posix.join(dirname(file), specifier.replace(/\?.*$/, "")));
}

type Graph = ReadonlyMap<string, ReadonlyMap<string, Import>>;

/** Between the names directly in a folder, with one import as the example of each edge. */
function graphWithin(folder: string, imports: readonly Import[]): Graph {
  const graph = new Map<string, Map<string, Import>>();
  for (const one of imports) {
    const from = nameIn(folder, one.from);
    const to = nameIn(folder, one.to);
    if (from === undefined || to === undefined || from === to) continue;
    const edges = graph.get(from) ?? new Map<string, Import>();
    graph.set(from, edges);
    if (!edges.has(to)) edges.set(to, one);
  }
  return graph;
}

/** Strongly connected parts with more than one member (Tarjan). */
function cyclesOf(graph: Graph): string[][] {
  const order = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const cycles: string[][] = [];
  const visit = (name: string): number => {
    order.set(name, order.size);
    let lowest = order.get(name) ?? 0;
    stack.push(name);
    for (const next of graph.get(name)?.keys() ?? []) {
      if (!order.has(next)) lowest = Math.min(lowest, visit(next));
      else if (stack.includes(next)) lowest = Math.min(lowest, order.get(next) ?? 0);
    }
    low.set(name, lowest);
    if (lowest === order.get(name)) {
      const part = stack.splice(stack.indexOf(name));
      if (part.length > 1) cycles.push(part);
    }
    return lowest;
  };
  for (const name of graph.keys()) if (!order.has(name)) visit(name);
  return cycles;
}

function describeCycle(folder: string, cycle: readonly string[], graph: Graph): string {
  const members = new Set(cycle);
  const edges = cycle.flatMap((from) =>
    [...(graph.get(from) ?? [])]
      .filter(([to]) => members.has(to))
      .map(([to, example]) => `    ${from} → ${to}: ${example.from} imports ${example.to}`),
  );
  return `${folder}  these import each other: ${cycle.join(", ")}\n${edges.join("\n")}\n  why:  ${reason}\n  fix:  move what both need below both`;
}

function ancestors(file: string): string[] {
  const found: string[] = [];
  for (let folder = dirname(file); folder !== "."; folder = dirname(folder)) found.push(folder);
  return found;
}

/** The child of a folder that a file is in, or the file itself. */
function nameIn(folder: string, file: string): string | undefined {
  return file.startsWith(`${folder}/`) ? file.slice(folder.length + 1).split("/", 1)[0] : undefined;
}

function isFile(name: string): boolean {
  return /\.\w+$/.test(name);
}

if (import.meta.main) {
  const outcome = await checkFolders();
  console.log(outcome.status === "failed" ? outcome.output : outcome.status);
  if (outcome.status === "failed") process.exitCode = 1;
}
