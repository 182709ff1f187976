/** The plainest agent that talks: a line for each event. */
import { request } from "node:http";
import { emit, type Talk } from "../../emit.ts";

const [port = ""] = process.argv.slice(2);

process.on("message", async (how: Talk) => {
  const outgoing = request({ host: "127.0.0.1", port, method: "POST", agent: false });
  const answered = new Promise<void>((done) => {
    outgoing.on("response", (response) => response.resume().on("end", done));
  });
  await emit(how, (text) => outgoing.write(`${JSON.stringify({ type: "thought", text })}\n`));
  outgoing.end();
  await answered;
  process.send?.({ sent: true });
});
process.on("disconnect", () => process.exit());
