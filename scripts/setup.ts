/** `npm run setup`: `run.mjs` has installed the dependencies by the time this runs. */
import { takeArguments } from "./arguments.ts";

takeArguments({ command: "npm run setup", purpose: "installs the dependencies, and nothing else" });
console.log("baton: dependencies are installed");
