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
      "Starts a new run from a stage of another run. It takes over the results that do not depend on that stage, and can " +
        "have other inputs. The other run does not change.",
    )
    .argument("<id>", "the original run; the beginning of its id is enough")
    .requiredOption("--from <stage>", "the stage to start from (required)")
    .requiredOption("--reason <text>", "the reason (required); audited with your name")
    .option("--input <file>", "a YAML or JSON file with all inputs of the stage; - for standard input")
    .option(
      "--set <name=value>",
      "override one input, as name=text or name:=json; may be repeated",
      readInput,
    )
    .option("--instruct <text>", "an instruction for the agent; may be repeated", gather)
    .option("--key <text>", "the idempotency key: the same key with the same content starts one run")
    .action((id: string, options: RerunOptions, command: Command) =>
      withHub(command, (session) => rerunPipeline(session, id, options)),
    );
  withExamples(rerun, [
    [
      'baton rerun p-3s43k65n --from implement --set size=large --reason "try it large"',
      "with a different input",
    ],
    [
      'baton rerun p-3s43k65n --from implement --instruct "use the small logo" --reason "..."',
      "with an instruction",
    ],
  ]);
}

async function rerunPipeline(session: Session, id: string, options: RerunOptions): Promise<number> {
  const { hub, signal, output } = session;
  if (options.input !== undefined && options.set !== undefined)
    throw new CliError("BATON-CLI-001", "--input and --set cannot be used together", {
      fix: "put all inputs into the file, or override single ones with --set",
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
  if (response.existing) session.printNote("this run was started by an earlier request with the same key");
  if (output !== "text") await session.writeJson(encodeJson(RerunPipelineResponseSchema, response));
  else {
    const taken = response.pipeline?.origin?.takenStages ?? [];
    session.printNote(taken.length === 0 ? "nothing was taken over" : `taken over: ${taken.join(", ")}`);
    await session.write([response.pipeline?.pipelineId ?? ""]);
  }
  return exitCode.ok;
}
