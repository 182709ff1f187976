/** Writes release notes from the titles of commits: the task comes as JSON on standard input, the last thing said is the answer. */
import { readFileSync } from "node:fs";

const task = JSON.parse(readFileSync(0, "utf8"));
/** @type {string[]} */
const commits = task.inputs?.commits ?? [];

/** @param {RegExp} kind @param {string} heading */
function section(kind, heading) {
  const items = commits.filter((title) => kind.test(title)).map((title) => title.replace(/^.*?: /, ""));
  // Whatever is printed on the way can be watched: `baton runs watch --verbose`.
  for (const item of items) console.log(`${heading}: ${item}`);
  return items.length > 0 ? `### ${heading}\n\n${items.map((item) => `- ${item}`).join("\n")}` : "";
}

const sections = [section(/^feat\b/, "New"), section(/^fix\b/, "Fixed")].filter((text) => text !== "");
const answer =
  sections.length > 0
    ? { status: "success", summary: "Wrote the release notes", data: { notes: sections.join("\n\n") } }
    : { status: "failure", summary: "No commit is a feature or a fix", failure_code: "NOTHING_TO_WRITE" };
console.log(JSON.stringify(answer));
