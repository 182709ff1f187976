/** The command of the connector for commands: it prints what the test sends over a socket. */
import { openSync, readFileSync, readSync } from "node:fs";
import { connect } from "node:net";
import { createInterface } from "node:readline";

const test = connect(Number(process.env.TEST_PORT), "127.0.0.1");
// Readers of lines take some characters for the end of one that JSON does not.
const send = (/** @type {object} */ message) =>
  test.write(`${JSON.stringify(message).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029")}\n`);
process.on("SIGTERM", () => send({ received: "stop" }));
send({ envelope: readFileSync(0, "utf8") });

// The hub appends what it has stored.
const steps = openSync(process.env.BATON_STEPS ?? "", "r");
const piece = Buffer.alloc(64 * 1024);
let unread = Buffer.alloc(0);
const readSteps = () => {
  for (let length = -1; length !== 0; ) {
    length = readSync(steps, piece, 0, piece.length, null);
    unread = Buffer.concat([unread, piece.subarray(0, length)]);
  }
  for (let end = unread.indexOf(10); end !== -1; end = unread.indexOf(10)) {
    send({ stored: unread.toString("utf8", 0, end) });
    unread = unread.subarray(end + 1);
  }
};
readSteps();
setInterval(readSteps, 10).unref();

for await (const line of createInterface({ input: test })) {
  const { print, end } = JSON.parse(line);
  if (print !== undefined) await new Promise((resolve) => process.stdout.write(`${print}\n`, resolve));
  if (end === "killed") process.kill(process.pid, "SIGKILL");
  if (end === "done") process.exit(0);
}
