/**
 * Writes the function that the task asks for, in three tries. At the first it is in a hurry: it claims that the tests pass
 * and has not run them. The hub runs them. At the second it does its work, and at the third it heeds what the review says.
 * The second task leaves something open: there it asks, and goes on with the answer of a person.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startAgent, type Task } from "@baton/agent";

const hasty = `export function slugify(title) {
  return title.toLowerCase().replaceAll(" ", "-");
}
`;

const plain = `export function slugify(title) {
  return title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
}
`;

const withAccents = plain.replace(
  "title\n",
  'title\n    .normalize("NFD")\n    .replace(/\\p{Diacritic}/gu, "")\n',
);

function shortened(most: number): string {
  const whole = withAccents.replace("export function slugify", "function whole");
  return `${whole}
export function slugify(title) {
  const words = whole(title).split("-");
  while (words.length > 1 && words.join("-").length > ${most}) words.pop();
  return words.join("-");
}
`;
}

/** What would do, if nobody looked. */
async function pretend(task: Task) {
  task.think("Lower case, dashes for spaces. That will do; the tests surely pass.");
  await write(task, hasty);
  task.evidence({
    check: "tests",
    command: "node --test",
    output: "2 tests, 2 pass, 0 fail",
    passed: true,
  });
  task.turn({ confidence: 0.9, action: "wrote slug.js", observation: "tests pass" });
  return task.success("slugify is there, and its tests pass");
}

async function work(task: Task, code: string, decision: string, summary: string) {
  await write(task, code);
  const tests = await task.check("tests");
  task.turn({
    confidence: tests?.ok ? 0.9 : 0.4,
    action: "wrote slug.js",
    observation: tests?.ok ? "tests pass" : "tests fail",
  });
  if (!tests?.ok) return task.failure("the tests fail", { retryable: true });
  task.decision(decision);
  return task.success(summary);
}

/** What the task does not say, a person does. */
async function shorten(task: Task) {
  const asked = task.answers.at(-1);
  if (asked === undefined) {
    task.think("Shorter than what? The task does not say, and guessing would be wrong either way.");
    return task.ask("How many characters may a slug have? The addresses of the shop have room for 60.");
  }
  const most = Number(/\d+/.exec(asked.answer)?.[0]);
  if (!(most > 0)) {
    task.think(`The answer is "${asked.answer}". There is no number in it, and guessing is still wrong.`);
    return task.ask("How many characters may a slug have, as a number? The shop has room for 60.");
  }
  task.think(`The answer is "${asked.answer}". So ${most} it is, and whole words only.\n`);
  return work(
    task,
    shortened(most),
    `${most} characters at the most`,
    `slugs have ${most} characters at the most`,
  );
}

async function write(task: Task, code: string): Promise<void> {
  await writeFile(join(task.workspace ?? ".", "slug.js"), code);
  await task.artifact("slug.js", "modified");
}

await startAgent({
  pack: "senior-ts-dev",
  version: "1.0.0",
  description: "Writes and changes code until its tests pass",
  taskTypes: ["feature-implementation"],
  tools: ["node", "git"],
  async run(task) {
    if (task.contract.taskId === "keep-slugs-short") return shorten(task);
    if (!task.feedback) return pretend(task);
    const [failed] = task.feedback.failedChecks;
    if (failed?.checkName === "tests") {
      task.think("Caught: the tests were run, and fail. Then everything but letters and digits goes.\n");
      return work(task, plain, "keep only letters and digits", "slugify is there, and its tests pass");
    }
    task.think(`The review says ${failed?.reason.split(":")[0]}. So the accents come off first.\n`);
    return work(task, withAccents, "take the accents off first", "slugify keeps letters that have accents");
  },
});
