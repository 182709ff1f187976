import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { contractFiles, contractRegistry, schemaVersion } from "@baton/contract";
import { describe, expect, it } from "vitest";

const contract = join(import.meta.dirname, "..");

function methods(service: string): string[] {
  const found = contractRegistry.getService(`vasini.agent.v1.${service}`);
  return (found?.methods ?? []).map(({ name, methodKind }) => `${name} ${methodKind}`);
}

function fieldNumber(path: string): number | undefined {
  const [message, field] = path.split(".");
  const schema = contractRegistry.getMessage(`vasini.agent.v1.${message}`);
  return schema?.fields.find(({ name }) => name === field)?.number;
}

describe("the contract", () => {
  it("[CON-05] offers the agent's service", () => {
    expect(methods("AgentService")).toEqual(["RunAgent server_streaming", "CancelAgent unary"]);
  });

  it("[CON-05] offers the registry's service, with the one stream that agents open", () => {
    expect(methods("RegistryService")).toEqual([
      "AttachAgent bidi_streaming",
      "RegisterAgent unary",
      "SendHeartbeat unary",
      "ListAgents unary",
      "RestoreAgent unary",
      "ReportStep unary",
      "ListSteps unary",
      "PinTools unary",
      "ListPinnedTools unary",
      "AcceptTool unary",
    ]);
  });

  it("[CON-05] offers the orchestrator's service", () => {
    expect(methods("OrchestratorService")).toEqual([
      "SubmitTask unary",
      "GetPipeline unary",
      "ListPipelines unary",
      "WatchEvents server_streaming",
      "PausePipeline unary",
      "ResumePipeline unary",
      "AbortPipeline unary",
      "ChangeLimits unary",
      "LabelPipeline unary",
      "SkipStage unary",
      "OverrideStage unary",
      "CancelStage unary",
      "ReviewStage unary",
      "ListEscalations unary",
      "ResolveEscalation unary",
      "ExplainDispatch unary",
      "PreviewRewind unary",
      "RewindPipeline unary",
      "RerunPipeline unary",
      "StopTenant unary",
      "StartTenant unary",
      "GetTenant unary",
      "RaiseSpendLimit unary",
    ]);
  });

  it("[CON-05] offers the auditor's service", () => {
    expect(methods("AuditService")).toEqual([
      "ListAuditEntries unary",
      "GetAuditProof unary",
      "VerifyAudit unary",
      "GetAuditCheckpoint unary",
      "ExportAudit server_streaming",
    ]);
  });

  it("[CON-05] pages and filters every list that has a filter the same way", () => {
    const lists = contractFiles
      .flatMap(({ messages }) => messages)
      .filter(({ name, field }) => /^List.*Request$/.test(name) && field.filter !== undefined);
    expect(lists.map(({ name }) => name).toSorted()).toEqual([
      "ListAgentsRequest",
      "ListAuditEntriesRequest",
      "ListEscalationsRequest",
      "ListPipelinesRequest",
    ]);
    for (const { fields } of lists) {
      const common = fields.slice(0, 4).map(({ name }) => name);
      expect(common).toEqual(["page_size", "page_token", "filter", "order_by"]);
    }
  });

  it.each([
    ["AgentResult.task_id", 15],
    ["AgentResult.dispatch_id", 16],
    ["AgentResult.attempt_number", 17],
    ["AgentResult.usage", 18],
    ["AgentHeartbeat.available_tools", 11],
    ["AgentHeartbeat.endpoint", 12],
    ["Contract.required_tools", 16],
    ["TaskEnvelope.review_feedback", 16],
    ["TaskEnvelope.workspace", 17],
    ["TaskEnvelope.inputs", 18],
    ["Ref.degraded", 9],
    ["StageConfig.condition", 11],
    ["StageConfig.input_mapping", 12],
  ])("[CON-06] carries what dispatch needs: %s = %i", (path, number) => {
    expect(fieldNumber(path)).toBe(number);
  });

  it("is exported whole", () => {
    const generated = readdirSync(join(contract, "gen/vasini/agent/v1")).filter((file) =>
      file.endsWith("_pb.js"),
    );
    const exported = contractFiles.map(({ name }) => `${name.split("/").at(-1)}_pb.js`);
    expect(exported).toEqual(generated.toSorted());
  });

  it("[CON-11] states its version where messages and package agree", () => {
    const { version } = JSON.parse(readFileSync(join(contract, "package.json"), "utf8"));
    expect(schemaVersion).toBe(version);
  });
});
