import type { Problem } from "@baton/kernel";

export const unreadable: Problem = {
  code: "BATON-PIPELINE-006",
  at: "",
  message: "what is stored of this pipeline is damaged",
  fix: "ask the operator of the hub to read its log, run `baton store check` and restore a backup",
};

/** Content that cannot be redacted is never stored: the input has no effect (A §5.3). */
export const unredacted: Problem = {
  code: "BATON-PIPELINE-007",
  at: "",
  message: "secrets could not be redacted from what this would add to the audit record, so it was not done",
  fix: "try again with less text; if that fails too, ask the operator of the hub to read its log",
};

export const hubFault: Problem = {
  code: "BATON-PIPELINE-006",
  at: "",
  message: "the hub could not decide this because of a fault of its own",
  fix: "read the log of the hub, and report the error in it",
};
