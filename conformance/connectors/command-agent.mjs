/** The command of the connector for commands: it prints what the test sends over a socket. */
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { createInterface } from "node:readline";

const test = connect(Number(process.env.TEST_PORT), "127.0.0.1");
process.on("SIGTERM", () => test.write(`${JSON.stringify({ received: "stop" })}\n`));
// Readers of lines take some characters for the end of one that JSON does not.
const said = JSON.stringify({ envelope: readFileSync(0, "utf8") });
test.write(`${said.replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029")}\n`);
for await (const line of createInterface({ input: test })) {
  const { print, end } = JSON.parse(line);
  if (print !== undefined) await new Promise((resolve) => process.stdout.write(`${print}\n`, resolve));
  if (end === "killed") process.kill(process.pid, "SIGKILL");
  if (end === "done") process.exit(0);
}
