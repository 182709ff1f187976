import { encodeJson, ListPipelinesResponseSchema, PipelineSchema } from "@baton/contract/forms";
import { create } from "@bufbuild/protobuf";
import { type Command, Option } from "commander";
import { exitCode } from "../../exit-code.ts";
import { all, quote } from "../../hub/filter.ts";
import { openQuestionsOf } from "../../hub/list-escalations.ts";
import { readPages } from "../../hub/read-pages.ts";
import { limits } from "../../limits.ts";
import { type Session, withHub } from "../../session.ts";
import { risks } from "../../task/task-options.ts";
import { readLabel, readRows } from "../../task/values.ts";
import { renderPipelines } from "../../views/pipeline-list.ts";
import { withExamples } from "../examples.ts";
import { tellMore } from "../tell-more.ts";

/** A run that waits for a person is in no other state, whatever the status of its pipeline is. */
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
    .addOption(new Option("--status <status>", "only those in this state").choices(Object.keys(states)))
    .option("--template <id>", "only those made from this template")
    .option("--label <name=value>", "only those with this label; may be repeated", readLabel)
    .option("--task <id>", "only those of this task")
    .addOption(new Option("--risk <tier>", "only those of this risk").choices(Object.keys(risks)))
    .option("--agent <id>", "only those that this pack, or pack/instance, was sent an attempt of")
    .option("--filter <expression>", 'a filter of the API, such as: created_at > "2027-01-01T00:00:00Z"')
    .option("--limit <n>", "how many at the most", readRows, limits.defaultListRows)
    .action((options: ListOptions, command: Command) =>
      withHub(command, (session) => listPipelines(session, options)),
    );
  withExamples(list, [
    ["baton runs list --status running", "what is at work"],
    ["baton runs list --label team=core --risk critical", "by label and risk"],
    ["baton runs list --output jsonl | jq -r .pipelineId", "ids alone"],
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
  const { rows, more } = await readPages(options.limit, async (place) => {
    const request = { ...place, filter, orderBy: "created_at desc" };
    const { pipelines, nextPageToken } = await hub.orchestrator.listPipelines(request, { signal });
    return { rows: pipelines, nextPageToken };
  });
  if (output === "json") {
    const response = create(ListPipelinesResponseSchema, { pipelines: [...rows] });
    await session.writeJson(encodeJson(ListPipelinesResponseSchema, response));
  } else if (output === "jsonl") {
    for (const row of rows) await session.writeJson(encodeJson(PipelineSchema, row));
  } else if (rows.length === 0) {
    session.tell(filter === "" ? "there are no runs yet; baton run starts one" : "no run fits");
  } else {
    const questions = await openQuestionsOf(hub, rows, signal);
    await session.write(renderPipelines(session.look, rows, questions, Date.now()));
  }
  if (more) tellMore(session, options.limit);
  return exitCode.ok;
}
