/** A plain agent with faults: `node faulty-agent.ts attached|http-json FAULT…`. Called, it prints its address. */
import { FaultyAttachedAgent } from "./faulty/attached.ts";
import { faultsIn } from "./faulty/faults.ts";
import { serveFaultyAgent } from "./faulty/http-json.ts";

const [transport, ...names] = process.argv.slice(2);
const faults = faultsIn(names);
if (transport === "attached") await new FaultyAttachedAgent(faults).live(process.env.BATON_HUB ?? "");
else console.log(await serveFaultyAgent(faults));
