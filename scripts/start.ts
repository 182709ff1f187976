/** `npm start`: the shortest way to see Baton at work. */
import { takeArguments } from "./arguments.ts";
import { inTree, isInTree } from "./tree.ts";

const story = "examples/contract-tour/tour.ts";

takeArguments({ command: "npm start", purpose: "shows what Baton does, on this machine" });
if (isInTree(story)) {
  await import(inTree(story));
} else {
  console.error(`${story} is missing, so there is nothing to show\nfix: git checkout -- ${story}`);
  process.exitCode = 1;
}
