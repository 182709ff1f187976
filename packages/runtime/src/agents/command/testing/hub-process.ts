/** A hub in a process of its own, with one command and one task for it, in a folder if one is given. It is there to be killed. */

import { testPolicy } from "@baton/kernel/testing";
import { submit, testHub } from "../../../../testing/test-hub.ts";
import { nodePack } from "./packs.ts";

const [script = "", path = ""] = process.argv.slice(2);
const policy = testPolicy({ requireHealthy: false });
const hub = await testHub({ policy, commands: { packs: [nodePack(script)] } });
await submit(hub, path === "" ? {} : { workspace: { repository: path, path } });
console.log("submitted");
setInterval(() => {}, 1_000);
