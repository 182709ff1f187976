/** Agent 1 of SACP §6: identifies the person, and guesses addresses. It answers what the specification says. */
import { startAgent } from "@baton/agent";

await startAgent({
  pack: "researcher",
  version: "1.0.0",
  role: "researcher",
  taskTypes: ["research"],
  run(task) {
    task.think(`The question is: ${task.inputs.question}`);
    return task.success("I identified the CEO as John Doe.", {
      thought: "I found the CEO is John Doe, but no direct email. I will guess standard formats.",
      data: {
        ceo_name: "John Doe",
        domain: "acme.com",
        guesses: ["john.doe@acme.com", "jdoe@acme.com"],
      },
    });
  },
});
console.log("the researcher is attached");
