/** `npm start`: the shortest way to see Baton at work. It is `baton up --demo`. */
import { takeArguments } from "./arguments.ts";

const { flags, values } = takeArguments({
  command: "npm start",
  purpose: "shows what Baton does, on this machine",
  options: {
    story: {
      value: "NAME",
      purpose: "review (default): three agents and a repository; workflow: a graph of model agents",
    },
    once: { purpose: "end when the story is over, also on a terminal" },
  },
  notes: [
    "A hub and three agents are started, two tasks go through them, and everything that happens is printed.",
    "On a terminal it stays until Ctrl-C: a question waits for you, on the page or for npx baton. Nothing is left behind.",
  ],
});
// Imported late, so that --help answers at once.
const { main } = await import("@baton/cli");
const story = values.story === undefined ? [] : ["--story", values.story];
await main(["up", "--demo", ...story, ...(flags.has("once") ? ["--once"] : [])]);
