/** package-lock.json names versions and digests but no server, and says the same as the package.json files. */
import { isInTree, readJson, root } from "../tree.ts";
import { failed, type Outcome, passed } from "./step.ts";

type Dependencies = Readonly<Record<string, string>>;

interface Declared {
  readonly dependencies?: Dependencies;
  readonly devDependencies?: Dependencies;
  readonly optionalDependencies?: Dependencies;
  readonly peerDependencies?: Dependencies;
}

interface Locked extends Declared {
  readonly resolved?: string;
}

export async function checkLockFile(tree = root): Promise<Outcome> {
  if (!isInTree("package-lock.json", tree))
    return failed("package-lock.json is missing\nfix: npm install, and commit it");
  const { packages } = readJson<{ packages: Record<string, Locked> }>("package-lock.json", tree);
  const problems = Object.entries(packages).flatMap(([path, entry]) => [
    ...serverProblems(path, entry),
    ...staleProblems(tree, path, entry),
  ]);
  return problems.length === 0 ? passed : failed(problems.join("\n"));
}

/** An address would tie every clone to the registry of the author of the lock file. */
function serverProblems(path: string, entry: Locked): string[] {
  if (!/^https?:/.test(entry.resolved ?? "")) return [];
  return [
    `package-lock.json: "${path}" names the server it came from`,
    "  fix: npm install with omit-lockfile-registry-resolved=true, as .npmrc has it",
  ];
}

/** The entries that describe our own packages repeat their package.json. */
function staleProblems(tree: string, path: string, entry: Locked): string[] {
  const manifest = path === "" ? "package.json" : `${path}/package.json`;
  if (path.includes("node_modules/") || !isInTree(manifest, tree)) return [];
  const declared = readJson<Declared>(manifest, tree);
  const kinds = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"] as const;
  return kinds
    .filter((kind) => !isSame(declared[kind], entry[kind]))
    .map(
      (kind) =>
        `package-lock.json: the ${kind} of ${manifest} have changed since\n  fix: npm install, and commit it`,
    );
}

function isSame(a: Dependencies = {}, b: Dependencies = {}): boolean {
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].every((name) => a[name] === b[name]);
}
