/** What a person types to get this program again: npx finds it where no `baton` is on the path. */
export function calledAs(): string {
  return process.env.npm_command === "exec" ? "npx baton" : "baton";
}

/** A text that says what to type, as this person has to type it. */
export function asCalled(text: string): string {
  return calledAs() === "baton"
    ? text
    : text.replaceAll(/(?<![\w/.-])(?<!npx )baton (?=[a-z])/g, "npx baton ");
}
