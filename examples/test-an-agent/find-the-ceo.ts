import { envelope } from "@baton/agent/testing";

/** The task of SACP §6. */
export const findTheCeo = envelope({
  taskType: "research",
  title: "Find the email of the CEO of Acme Corp.",
  inputs: { question: "Find the email of the CEO of Acme Corp." },
});
