/** What a person types to get this program again: npx finds it where no `baton` is on the path, as wherever npm has run it. */
export function calledAs(): string {
  return process.env.npm_command ? "npx baton" : "baton";
}

const commands =
  "init|check|up|run|watch|runs|pipeline|rewind|rerun|inbox|approve|reject|answer|turns|why|agent|audit|key|store|help";
const typed = new RegExp(`(?<![\\w/.-])(?<!npx )baton (?=(?:${commands})\\b)`, "g");

/** A text that says what to type, as this person has to type it; also one of the hub, which cannot know. */
export function asCalled(text: string, way: string = calledAs()): string {
  return way === "baton" ? text : text.replaceAll(typed, `${way} `);
}
