import { encodeJson, GetTurnsResponseSchema, TurnRecordSchema } from "@baton/contract/forms";
import { create } from "@bufbuild/protobuf";
import type { Command } from "commander";
import { exitCode } from "../../exit-code.ts";
import { limits } from "../../limits.ts";
import { getTurns } from "../../queries/get-turns.ts";
import { type Session, withHub } from "../../session.ts";
import { readRows } from "../../task/values.ts";
import { renderTurns } from "../../views/runs/turn-list.ts";
import { withExamples } from "../options/examples.ts";
import { printMore } from "../options/print-more.ts";

export function addTurns(program: Command): void {
  const turns = program
    .command("turns")
    .description(
      "Lists the turns of agents: thought, action and observation, by attempt and turn number. " +
        "Missing turns are marked.",
    )
    .argument("<what>", "a run, RUN/STAGE, or a dispatch id")
    .option("--limit <n>", "the maximum number of rows", readRows, limits.defaultListRows)
    .action((what: string, { limit }: { readonly limit: number }, command: Command) =>
      withHub(command, (session) => showTurns(session, what, limit)),
    );
  withExamples(turns, [
    ["baton turns p-3s43k65n", "all turns of the run"],
    ["baton turns p-3s43k65n/implement/2", "the second attempt at the stage implement"],
    ["baton turns p-3s43k65n --output jsonl | jq -r .turn.content.thought", "only the thoughts"],
  ]);
}

async function showTurns(session: Session, what: string, limit: number): Promise<number> {
  const { hub, signal, output } = session;
  const { rows, gaps, more } = await getTurns(hub, what, limit, signal);
  if (output === "json") {
    const response = create(GetTurnsResponseSchema, { turns: [...rows], gaps: [...gaps] });
    await session.writeJson(encodeJson(GetTurnsResponseSchema, response));
  } else if (output === "jsonl") {
    for (const row of rows) await session.writeJson(encodeJson(TurnRecordSchema, row));
  } else if (rows.length === 0 && gaps.length === 0) {
    session.printNote("no turns");
  } else {
    await session.write(renderTurns(session.terminal, rows, gaps, Date.now()));
  }
  if (more) printMore(session, limit);
  return exitCode.ok;
}
