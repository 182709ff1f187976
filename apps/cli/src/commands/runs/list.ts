import { encodeJson, ListPipelinesResponseSchema, PipelineSchema } from "@baton/contract/forms";
import { create } from "@bufbuild/protobuf";
import { type Command, Option } from "commander";
import { exitCode } from "../../exit-code.ts";
import { all, quote } from "../../hub/filter.ts";
import { readPages } from "../../hub/read-pages.ts";
import { limits } from "../../limits.ts";
import { openQuestionsOf } from "../../queries/list-escalations.ts";
import { type Session, withHub } from "../../session.ts";
import { risks } from "../../task/task-options.ts";
import { readLabel, readRows } from "../../task/values.ts";
import { renderPipelines } from "../../views/runs/run-list.ts";
import { withExamples } from "../options/examples.ts";
import { printMore } from "../options/print-more.ts";

/** A run that waits for a person is in no other state, whatever its status is. */
const states = {
  pending: "status = PIPELINE_STATUS_PENDING AND waits_for_person = false",
  running: "status = PIPELINE_STATUS_RUNNING AND waits_for_person = false",
  waiting: "waits_for_person = true AND ended = false",
  paused: "status = PIPELINE_STATUS_PAUSED AND waits_for_person = false",
  completed: "status = PIPELINE_STATUS_COMPLETED",
  failed: "status = PIPELINE_STATUS_FAILED",
  aborted: "status = PIPELINE_STATUS_ABORTED",
} as const;

interface ListOptions {
  readonly status?: keyof typeof states;
  readonly template?: string;
  readonly label?: Readonly<Record<string, string>>;
  readonly task?: string;
  readonly risk?: keyof typeof risks;
  readonly agent?: string;
  readonly filter?: string;
  readonly limit: number;
}

export function addList(pipeline: Command): void {
  const list = pipeline
    .command("list")
    .summary("list runs, the newest first")
    .description("Lists runs, the newest first.")
    .addOption(new Option("--status <status>", "only runs in this state").choices(Object.keys(states)))
    .option("--template <id>", "only runs of this template")
    .option("--label <name=value>", "only runs with this label; may be repeated", readLabel)
    .option("--task <id>", "only runs of this task")
    .addOption(new Option("--risk <tier>", "only runs with this risk").choices(Object.keys(risks)))
    .option("--agent <id>", "only runs with an attempt of this pack or PACK/INSTANCE")
    .option("--filter <expression>", 'a filter of the API, such as: created_at > "2027-01-01T00:00:00Z"')
    .option("--limit <n>", "the maximum number of rows", readRows, limits.defaultListRows)
    .action((options: ListOptions, command: Command) =>
      withHub(command, (session) => listPipelines(session, options)),
    );
  withExamples(list, [
    ["baton runs list --status running", "running runs"],
    ["baton runs list --label team=core --risk critical", "by label and risk"],
    ["baton runs list --output jsonl | jq -r .pipelineId", "only the ids"],
  ]);
}

async function listPipelines(session: Session, options: ListOptions): Promise<number> {
  const { hub, signal, output } = session;
  const filter = all(
    options.status && states[options.status],
    options.template && `template_id = ${quote(options.template)}`,
    ...Object.entries(options.label ?? {}).map(([name, value]) => `labels.${name} = ${quote(value)}`),
    options.task && `source_task_id = ${quote(options.task)}`,
    options.risk && `risk_tier = RISK_TIER_${options.risk.toUpperCase()}`,
    options.agent && `agent = ${quote(options.agent)}`,
    options.filter,
  );
  const { rows, more } = await readPages(options.limit, async (page) => {
    const request = { ...page, filter, orderBy: "created_at desc" };
    const { pipelines, nextPageToken } = await hub.orchestrator.listPipelines(request, { signal });
    return { rows: pipelines, nextPageToken };
  });
  if (output === "json") {
    const response = create(ListPipelinesResponseSchema, { pipelines: [...rows] });
    await session.writeJson(encodeJson(ListPipelinesResponseSchema, response));
  } else if (output === "jsonl") {
    for (const row of rows) await session.writeJson(encodeJson(PipelineSchema, row));
  } else if (rows.length === 0) {
    session.printNote(filter === "" ? "no runs yet; start one with baton run" : "no matching runs");
  } else {
    const questions = await openQuestionsOf(hub, rows, signal);
    await session.write(renderPipelines(session.terminal, rows, questions, Date.now()));
  }
  if (more) printMore(session, options.limit);
  return exitCode.ok;
}
