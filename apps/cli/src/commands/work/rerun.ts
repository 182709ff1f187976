import { randomUUID } from "node:crypto";
import { encodeJson, RerunPipelineResponseSchema } from "@baton/contract/forms";
import type { JsonObject } from "@bufbuild/protobuf";
import type { Command } from "commander";
import { CliError } from "../../errors/cli-error.ts";
import { exitCode } from "../../exit-code.ts";
import { findPipeline } from "../../queries/find-pipeline.ts";
import { type Session, withHub } from "../../session.ts";
import { readObjectFile } from "../../task/read-task-file.ts";
import { gather, readInput } from "../../task/values.ts";
import { withExamples } from "../options/examples.ts";

interface RerunOptions {
  readonly from: string;
  readonly reason: string;
  readonly input?: string;
  readonly set?: JsonObject;
  readonly instruct?: readonly string[];
  readonly key?: string;
}

export function addRerun(program: Command): void {
  const rerun = program
    .command("rerun")
    .description(
      "Makes a new run that begins with a stage of another one: it takes over the results that do not depend on that " +
        "stage, and gives it other inputs if you say so. The other run stays as it is; the new one names its origin.",
    )
    .argument("<id>", "the run that it comes from, or the beginning of its id")
    .requiredOption("--from <stage>", "the stage to begin with (required)")
    .requiredOption("--reason <text>", "why (required); it goes into the record with your name")
    .option("--input <file>", "a YAML or JSON file with all inputs of the stage; - is standard input")
    .option("--set <name=value>", "changes one input, as name=text or name:=json; may be repeated", readInput)
    .option("--instruct <text>", "an instruction for its agent; may be repeated", gather)
    .option("--key <text>", "the idempotency key: the same key with the same content is taken once")
    .action((id: string, options: RerunOptions, command: Command) =>
      withHub(command, (session) => rerunPipeline(session, id, options)),
    );
  withExamples(rerun, [
    [
      'baton rerun p-3s43k65n --from implement --set size=large --reason "try it large"',
      "with one other input",
    ],
    [
      'baton rerun p-3s43k65n --from implement --instruct "use the small logo" --reason "..."',
      "with a word to its agent",
    ],
  ]);
}

async function rerunPipeline(session: Session, id: string, options: RerunOptions): Promise<number> {
  const { hub, signal, output } = session;
  if (options.input !== undefined && options.set !== undefined)
    throw new CliError("BATON-CLI-001", "--input and --set cannot go together", {
      fix: "write all inputs into the file, or change single ones with --set",
    });
  const inputs = options.input === undefined ? options.set : readObjectFile(options.input);
  const { pipelineId } = await findPipeline(hub, id, signal);
  const request = {
    ...{ pipelineId, stageId: options.from, reason: options.reason },
    idempotencyKey: options.key ?? randomUUID(),
    ...(inputs !== undefined && { inputs }),
    mergeInputs: options.set !== undefined,
    instructions: [...(options.instruct ?? [])],
  };
  const response = await hub.orchestrator.rerunPipeline(request, { signal });
  if (response.existing) session.printNote("an earlier request with the same key has made this run");
  if (output !== "text") await session.writeJson(encodeJson(RerunPipelineResponseSchema, response));
  else {
    const taken = response.pipeline?.origin?.takenStages ?? [];
    session.printNote(taken.length === 0 ? "nothing was taken over" : `taken over: ${taken.join(", ")}`);
    await session.write([response.pipeline?.pipelineId ?? ""]);
  }
  return exitCode.ok;
}
