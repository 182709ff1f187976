/** The model of this example: it answers by a script, on this machine, over the protocol of a provider. */
import { type Scripted, startModelServer } from "@baton/models/testing";

const published = "Start in half a second, and read your runs on a phone: Baton v2.0 is here.";

/** The answer to a conversation; `talk` is everything in it that is not the system prompt. */
function answerTo(system: string, talk: string, turns: number): object {
  if (system.includes("You are the researcher")) return research(turns > 1);
  if (system.includes("You are the editor")) return edit(talk);
  if (talk.includes("what readers gain") || talk.includes(published)) return write(published);
  return talk.includes("users of the page") ? write("Baton v2.0 is here. It starts faster.") : ask;
}

/** At first the version is not one, so that its data goes back. */
function research(isCorrected: boolean): object {
  const changes = ["it starts faster", "the page works on phones"];
  return {
    thought: isCorrected ? "The version has to be written as v2.0." : "The notes name two changes.",
    status: "success",
    data: { version: isCorrected ? "v2.0" : "the second", changes },
    message: "Two things are new.",
  };
}

const ask = {
  thought: "The task does not say who reads it.",
  status: "clarification_needed",
  data: {},
  message: "Who reads the announcement: users of the page, or developers?",
};

function write(text: string): object {
  return { thought: "Three sentences at most.", status: "success", data: { text }, message: text };
}

function edit(talk: string): object {
  if (talk.includes("Start in half a second"))
    return {
      thought: "It begins with what readers gain.",
      status: "success",
      data: { score: 0.9 },
      message: "It can be published.",
    };
  return {
    thought: "It begins with the version.",
    status: "retry_with_instruction",
    data: {},
    message: "Begin with what readers gain.",
  };
}

const port = Number(process.argv[2] ?? 11_435);
const server = await startModelServer(
  ({ system, messages }): Scripted => {
    const talk = messages.map(({ text }) => text).join("\n");
    return {
      text: JSON.stringify(answerTo(system, talk, messages.length)),
      usage: { input: 400, output: 80 },
      stream: { pieceDelayMs: 20 },
    };
  },
  { port },
);
console.log(`the model answers at ${server.baseUrl}`);
process.once("SIGTERM", () => void server.close());
process.once("SIGINT", () => void server.close());
