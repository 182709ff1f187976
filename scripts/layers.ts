/** Dependencies point one way. This file says which, and finds the imports that go against it. */
import { readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, posix } from "node:path";
import { failed, type Outcome, passedWith } from "./checks/step.ts";
import { findReferences, type Reference } from "./references.ts";
import { findFiles, inTree } from "./tree.ts";

interface Layer {
  readonly name: string;
  readonly folder: string;
  /** The packages of ours it may import, besides itself, or the only subpath of one. */
  readonly mayImport: readonly string[] | "any";
  /** What its tests may import besides. */
  readonly testsMayImport?: readonly string[];
  readonly reason: string;
}

const layers: readonly Layer[] = [
  {
    name: "@baton/contract",
    folder: "packages/contract",
    mayImport: [],
    reason: "the contract is what everyone shares, so it depends on no one",
  },
  {
    name: "@baton/kernel",
    folder: "packages/kernel",
    mayImport: ["@baton/contract"],
    reason: "decisions know the contract and nothing of how the world is reached",
  },
  {
    name: "@baton/protocols",
    folder: "packages/protocols",
    mayImport: ["@baton/contract"],
    reason: "a dialect translates to the contract and back; it decides nothing",
  },
  {
    name: "@baton/runtime",
    folder: "packages/runtime",
    mayImport: ["@baton/contract", "@baton/kernel", "@baton/protocols"],
    reason: "the shell carries out what the kernel decides; the server puts it together",
  },
  {
    name: "@baton/agent",
    folder: "packages/agent",
    mayImport: ["@baton/contract", "@baton/protocols"],
    reason: "agent authors install it, and must not get the hub's decisions with it",
  },
  {
    name: "@baton/client",
    folder: "packages/client",
    mayImport: ["@baton/contract"],
    reason: "programs that submit work install it, and talk to the hub over the wire",
  },
  {
    name: "@baton/models",
    folder: "packages/models",
    // Of the runtime only the sandbox and the URL guard, for tools.
    mayImport: [
      ...["@baton/contract", "@baton/kernel", "@baton/protocols", "@baton/agent"],
      "@baton/runtime/guarded",
    ],
    reason: "a model agent is an agent like any other, and the only one that knows the AI SDK",
  },
  {
    name: "@baton/server",
    folder: "apps/server",
    // Of model agents only the configuration of their process: without such agents the package is not installed.
    mayImport: [
      ...["@baton/contract", "@baton/kernel", "@baton/protocols", "@baton/runtime"],
      "@baton/models/host-config",
    ],
    testsMayImport: ["@baton/models", "@baton/agent"], // What agents upload is read back through the server.
    reason: "the server composes the hub; agents and clients talk to it over the wire",
  },
  {
    name: "@baton/cli",
    folder: "apps/cli",
    // The part of the kernel that checks records: to ask the hub whether the hub is honest proves nothing. The words for
    // the people who decide, which the page has too. And the checks of evaluations, which are files of the caller.
    mayImport: [
      ...["@baton/contract", "@baton/protocols", "@baton/kernel/audit", "@baton/kernel/deciding"],
      "@baton/kernel/evaluation",
    ],
    testsMayImport: ["@baton/models"], // The pages about models are followed with a local one.
    reason: "the command line is a thin client of the API",
  },
  {
    name: "@baton/dashboard",
    folder: "apps/dashboard",
    mayImport: ["@baton/contract", "@baton/protocols", "@baton/kernel/deciding"],
    testsMayImport: ["@baton/agent"], // A page that shows agents at work is tested with agents at work.
    reason: "the dashboard is a thin client of the API",
  },
  {
    name: "@baton/conformance",
    folder: "conformance",
    mayImport: "any",
    reason: "it tests everything public",
  },
  { name: "@baton/simulation", folder: "simulation", mayImport: "any", reason: "it runs the whole hub" },
  { name: "@baton/chaos", folder: "chaos", mayImport: "any", reason: "it runs and kills everything public" },
  { name: "@baton/bench", folder: "bench", mayImport: "any", reason: "it measures everything public" },
  { name: "@baton/examples", folder: "examples", mayImport: "any", reason: "they show everything public" },
  {
    name: "@baton/proto",
    folder: "proto",
    mayImport: "any",
    reason: "its plugins write the contract and test it",
  },
  { name: "@baton/scripts", folder: "scripts", mayImport: "any", reason: "they look after the tree" },
];

/** Packages whose source (tests and testing/ apart) runs anywhere: in Node, in a browser, in a simulation. */
const withoutNode = {
  packages: ["@baton/contract", "@baton/kernel"],
  rule: "contract and kernel import no Node module",
  reason: "what decides must run the same in the hub, in a browser and on a virtual clock",
  fix: "take the value as an argument, or move the code that touches the world to packages/runtime",
};

/** Answers of these are in the language of the machine. */
const byLanguage = [
  ...["toLocaleString", "toLocaleDateString", "toLocaleTimeString"],
  ...["toLocaleLowerCase", "toLocaleUpperCase", "localeCompare"],
];

/** Methods of `Date` in the time zone of the machine; each has a twin in UTC. */
function localTime(): readonly string[] {
  const parts = ["FullYear", "Month", "Date", "Hours", "Minutes", "Seconds", "Milliseconds", "Year"];
  return [
    ...parts.flatMap((part) => [`get${part}`, `set${part}`]),
    ...["getDay", "getTimezoneOffset", "toDateString", "toTimeString"],
  ];
}

/** Packages whose source (tests and testing/ apart) is a function of its arguments. */
const pure = {
  packages: ["@baton/kernel"],
  globals: new Set([
    ...["Date.now", "Date()", "new Date()", "Math.random", "performance", "crypto", "process", "globalThis"],
    ...["setTimeout", "setInterval", "setImmediate", "queueMicrotask", "fetch", "import.meta"],
    // What the machine's time zone and language, its collector or another thread decide.
    ...["Date.parse", "new Date(year, month)", "Intl", "Temporal"],
    ...["WeakRef", "FinalizationRegistry", "Atomics", "SharedArrayBuffer"],
  ]),
  members: new Set([...localTime(), ...byLanguage]),
  rule: "the kernel uses no clock, chance, timer, network, process, time zone, language or shared memory",
  reason: "time, ids and randomness come in as arguments, so that a replay decides the same again",
  fix: "take it as an argument of the decision; the runtime supplies it",
};

/** Suites that every adapter must pass live there, so any package's tests may run them. */
const alwaysForTests = "@baton/conformance";

interface Violation {
  readonly rule: string;
  readonly reason: string;
  readonly fix: string;
}

export async function checkLayers(): Promise<Outcome> {
  const folders = layers.map((layer) => layer.folder);
  const files = findFiles(`{${folders.join(",")}}/**/*.{ts,tsx,mts,js,jsx,mjs}`);
  const problems = [
    ...findUnknownPackages(),
    ...files.flatMap((file) => checkFile(file, readFileSync(inTree(file), "utf8"))),
  ];
  return problems.length === 0 ? passedWith(`${files.length} files`) : failed(problems.join("\n"));
}

/** Every violation of the tables in one file, with rule, reason and fix. */
export function checkFile(file: string, source: string): string[] {
  const layer = layerOf(file);
  if (layer === undefined) return [];
  return findReferences(file, source, pure).flatMap((reference) => {
    const violation = judge(layer, file, reference);
    return violation === undefined ? [] : [describe(file, reference, violation)];
  });
}

function judge(layer: Layer, file: string, { kind, name }: Reference): Violation | undefined {
  const isTest = /\.test\.tsx?$|\/testing\//.test(file);
  if (kind === "global" || kind === "member")
    return pure.packages.includes(layer.name) && !isTest ? pure : undefined;
  if (kind === "directive" || isBuiltin(name)) {
    return withoutNode.packages.includes(layer.name) && !isTest ? withoutNode : undefined;
  }
  if (name.startsWith(".")) return judgeRelative(layer, file, name);
  if (layer.mayImport.includes(name)) return undefined;
  if (name.startsWith("@baton/")) return judgePackage(layer, packageName(name), isTest);
  return undefined;
}

function judgeRelative(layer: Layer, file: string, name: string): Violation | undefined {
  const target = layerOf(posix.join(dirname(file), name));
  if (target === layer || target === undefined) return undefined;
  return {
    rule: "no relative import crosses from one package into another",
    reason: "what a package does not export is its own business and may change any day",
    fix: `import "${target.name}", and export there what is needed`,
  };
}

function judgePackage(layer: Layer, name: string, isTest: boolean): Violation | undefined {
  if (!layers.some((known) => known.name === name)) {
    return {
      rule: "every package has its place in the table of scripts/layers.ts",
      reason: "the direction of a dependency is unknown for a package without one",
      fix: `correct the name, or add a row for ${name}`,
    };
  }
  const allowed = layer.mayImport;
  const isAllowed = allowed === "any" || allowed.includes(name) || name === layer.name;
  if (isAllowed || (isTest && (name === alwaysForTests || layer.testsMayImport?.includes(name))))
    return undefined;
  return {
    rule: `of our packages, ${layer.name} may import ${allowed.join(", ") || "none"}`,
    reason: layer.reason,
    fix: "move the code to the package that may, or let that package pass the value in",
  };
}

function findUnknownPackages(): string[] {
  return findFiles("{packages,apps}/*/package.json")
    .filter((manifest) => layerOf(manifest) === undefined)
    .map(
      (manifest) =>
        `${manifest}  has no row in the table of scripts/layers.ts\n  fix: add one, with its reason`,
    );
}

function layerOf(path: string): Layer | undefined {
  return layers.find((layer) => path.startsWith(`${layer.folder}/`));
}

/** "@baton/kernel/dispatch" is the subpath "dispatch" of "@baton/kernel". */
function packageName(specifier: string): string {
  return specifier.split("/").slice(0, 2).join("/");
}

function describe(
  file: string,
  { kind, name, line, column }: Reference,
  { rule, reason, fix }: Violation,
): string {
  const what = {
    import: `imports "${name}"`,
    global: `uses ${name}`,
    member: `uses .${name}`,
    directive: `says ${name}`,
  }[kind];
  return `${file}:${line}:${column}  ${what}\n  rule: ${rule}\n  why:  ${reason}\n  fix:  ${fix}`;
}
