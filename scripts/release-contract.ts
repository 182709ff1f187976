/**
 * `npm run release-contract`: freezes the contract as the image of the version in packages/contract/package.json.
 * From then on every check compares the contract with it, so that agents built with that version stay understood.
 */
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { takeArguments } from "./arguments.ts";
import { buildImage } from "./checks/contract.ts";
import { imagePath } from "./checks/released.ts";
import { endTogether } from "./command.ts";
import { inTree, isInTree, readJson, root } from "./tree.ts";

takeArguments({
  command: "npm run release-contract",
  purpose: "freezes the contract as proto/released/<version>.binpb",
  notes: ["The version is the one in packages/contract/package.json. A released image never changes again."],
});
endTogether();
const problem = await release();
if (problem !== undefined) {
  console.error(problem);
  process.exitCode = 1;
}

/** Gives the reason when nothing was released. */
async function release(): Promise<string | undefined> {
  const { version } = readJson<{ version: string }>("packages/contract/package.json");
  const image = imagePath(version);
  if (isInTree(image)) {
    return `${image} exists, and a released image never changes\nfix: raise the version in packages/contract/package.json`;
  }
  mkdirSync(dirname(inTree(image)), { recursive: true });
  const { code, output } = await buildImage(root, inTree(image));
  if (code !== 0) return `the contract does not build:\n${output}`;
  console.log(`wrote ${image}; commit it`);
  return undefined;
}
