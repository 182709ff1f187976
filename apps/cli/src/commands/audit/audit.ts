import type { Command } from "commander";
import { withExamples } from "../options/examples.ts";
import { addExport } from "./export.ts";
import { addCheckpoint, addKey } from "./key.ts";
import { addList } from "./list.ts";
import { addShow } from "./show.ts";
import { addVerify } from "./verify.ts";

export function addAudit(program: Command): void {
  const audit = program
    .command("audit")
    .description(
      "The record of what was done: list, show, export, verify. Checking needs no trust in the hub.",
    );
  withExamples(audit, [
    ["baton audit list --run p-3s43k65n", "what was done, by whom, and why"],
    ["baton audit export --all --out record.jsonl", "a file that anyone can verify"],
    ["baton audit verify record.jsonl --key ed25519:…", "verifies that nothing in it was altered"],
  ]);
  addList(audit);
  addShow(audit);
  addExport(audit);
  addVerify(audit);
  addKey(audit);
  addCheckpoint(audit);
}
