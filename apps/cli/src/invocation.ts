/** How a person calls this program: with npx where npm started it, because `baton` need not be on the path. */
export function defaultInvocation(): string {
  return process.env.npm_command ? "npx baton" : "baton";
}

const commands =
  "init|check|up|run|watch|runs|pipeline|rewind|rerun|inbox|approve|reject|answer|turns|why|agent|audit|key|store|help";
const typed = new RegExp(`(?<![\\w/.-])(?<!npx )baton (?=(?:${commands})\\b)`, "g");

/** Adapts the commands in a text, also a text of the hub, to how this person calls the program. */
export function withInvocation(text: string, invocation: string = defaultInvocation()): string {
  return invocation === "baton" ? text : text.replaceAll(typed, `${invocation} `);
}
