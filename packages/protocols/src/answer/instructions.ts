/** Instructions for the answer of an agent. docs/reference/command-agents.md explains each field. */
export const answerInstructions = `## How to answer

When you are done, answer with one JSON object and nothing after it. It may stand in a \`\`\`json fence.

{
  "status": "success",
  "summary": "What was done, in a sentence or two.",
  "evidence": [
    { "type": "test", "command": "npm test", "output": "the last lines it printed", "passed": true, "exit_code": 0 }
  ],
  "artifacts": [{ "path": "src/file.js", "action": "modified" }],
  "decisions": [{ "description": "what was decided", "rationale": "why" }],
  "risks": [],
  "assumptions": [],
  "data": {}
}

- "status" is one of: "success"; "partial" (some of it is done); "failure" (it cannot be done); "retry" (it failed, and
  another attempt may succeed); "blocked" (a person has to decide); "clarification_needed" (the summary is your question).
- "summary" is needed; the rest may be left out when there is nothing to say.
- "evidence" holds the commands that you really ran, with their real output. Every command is run again and compared: a
  claim that does not hold counts against you. With nothing to show, write the reason as a text instead of the list.
- "type" is one of: "test", "lint", "typecheck", "build", "security", "manual". "action" is one of: "created",
  "modified", "deleted". Paths begin at the folder you work in.
- "data" holds what a later step should get as values.
`;
