import { existsSync } from "node:fs";
import {
  decodeJson,
  encodeJson,
  GetTemplatesResponseSchema,
  type Template,
  TemplateSchema,
} from "@baton/contract/forms";
import { create } from "@bufbuild/protobuf";
import type { Command } from "commander";
import { CliError } from "../../errors/cli-error.ts";
import { exitCode } from "../../exit-code.ts";
import { type Printer, withoutHub } from "../../output.ts";
import { queryServer } from "../../server/run-server.ts";
import { type Session, withHub } from "../../session.ts";
import { type FileProblem, renderProblems } from "../../views/problem-list.ts";
import { renderGraph } from "../../views/workflow/graph-view.ts";
import { renderWorkflows } from "../../views/workflow/workflow-table.ts";
import { withExamples } from "../options/examples.ts";
import { findTemplate } from "./find-template.ts";

export function addWorkflow(program: Command): void {
  const workflow = program
    .command("workflow")
    .description("Lists the workflows of a hub and draws their graphs.");
  withExamples(workflow, [
    ["baton workflow list", "the workflows of the hub"],
    ["baton workflow graph find-the-email", "the graph of one"],
    ["baton workflow graph workflows/find-the-email.yaml", "the graph of a file, without a hub"],
  ]);
  addList(workflow);
  addGraph(workflow);
}

function addList(workflow: Command): void {
  const list = workflow
    .command("list")
    .summary("list the workflows")
    .description("Lists the workflows that the hub runs. baton run NAME starts one.")
    .action((_: object, command: Command) =>
      withHub(command, async (session) => {
        const workflows = await workflowsOf(session);
        if (session.output === "json") {
          const response = create(GetTemplatesResponseSchema, { templates: [...workflows] });
          await session.writeJson(encodeJson(GetTemplatesResponseSchema, response));
        } else if (session.output === "jsonl") {
          for (const one of workflows) await session.writeJson(encodeJson(TemplateSchema, one));
        } else if (workflows.length === 0) session.printNote("no workflows: they are files in workflows/");
        else await session.write(renderWorkflows(session.terminal, workflows));
        return exitCode.ok;
      }),
    );
  withExamples(list, [["baton workflow list --output json", "with all nodes and edges, for a program"]]);
}

function addGraph(workflow: Command): void {
  const graph = workflow
    .command("graph")
    .summary("draw the graph of a workflow")
    .description(
      "Draws the nodes of a workflow from the top down, with its edges and their conditions. A file is read with the others of " +
        "its folder and the packs beside it, and needs no hub.",
    )
    .argument("<workflow>", "the name of a workflow or template of the hub, or a YAML file")
    .action((given: string, _: object, command: Command) =>
      isFile(given)
        ? withoutHub(command, (printer) => drawFile(printer, given))
        : withHub(command, async (session) => {
            await draw(session, await findTemplate(session, given));
            return exitCode.ok;
          }),
    );
  withExamples(graph, [
    ["baton workflow graph find-the-email", "from the hub"],
    ["baton workflow graph ./workflows/find-the-email.yaml", "from a file"],
  ]);
}

function isFile(given: string): boolean {
  return /\.ya?ml$/.test(given) || given.includes("/");
}

async function workflowsOf({ hub, signal }: Session): Promise<readonly Template[]> {
  const { templates } = await hub.inspection.getTemplates({}, { signal });
  return templates.filter(({ workflow }) => workflow);
}

async function drawFile(printer: Printer, path: string): Promise<number> {
  if (!existsSync(path))
    throw new CliError("BATON-CLI-002", `there is no file "${path}"`, { fix: "give an existing file" });
  const { answer, code } = await queryServer(["project", "workflow", "--", path]);
  if (answer === undefined) return code;
  const { workflow, problems } = answer as { workflow?: string; problems: readonly FileProblem[] };
  if (workflow !== undefined) {
    await draw(printer, decodeJson(TemplateSchema, workflow));
    return exitCode.ok;
  }
  if (printer.output === "text") await printer.write(renderProblems(printer.terminal, problems));
  else await printer.writeJson(JSON.stringify({ problems }));
  return exitCode.usage;
}

async function draw(printer: Printer, template: Template): Promise<void> {
  if (printer.output === "text") await printer.write(renderGraph(printer.terminal, template));
  else await printer.writeJson(encodeJson(TemplateSchema, template));
}
