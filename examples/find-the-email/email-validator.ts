/** Agent 2 of SACP §6: receives `data.guesses` of the researcher, and says which one is valid. */
import { startAgent } from "@baton/agent";

/** The addresses that a mail server would accept. */
const accepted = new Set(["jdoe@acme.com"]);

await startAgent({
  pack: "email-validator",
  version: "1.0.0",
  role: "reviewer",
  taskTypes: ["email-validation"],
  run(task) {
    const guesses = task.inputs.guesses as readonly string[];
    const valid = guesses.find((guess) => accepted.has(guess));
    if (valid === undefined) return task.retryWithInstruction(`none of ${guesses.join(", ")} is valid`);
    return task.success(`The valid email is ${valid}`, {
      thought: `Pinged servers. ${valid} is valid.`,
      data: { valid_email: valid },
    });
  },
});
console.log("the email validator is attached");
