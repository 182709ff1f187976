import {
  AgentHeartbeatSchema,
  AgentManifestSchema,
  AuditService,
  ContextLevel,
  ContextPropagationMode,
  FailureStrategy,
  HealthStatus,
  InspectionService,
  OrchestratorService,
  type PipelineStatus,
  RegistryService,
  RiskTier,
  SubmitTaskRequestSchema,
  TestContractSchema,
} from "@baton/contract";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { durationFromMs } from "@bufbuild/protobuf/wkt";
import { type Client, createClient } from "@connectrpc/connect";
import { createGrpcTransport, Http2SessionManager } from "@connectrpc/connect-node";
import { asOperator } from "../program.ts";
import { CanaryAgent, type Identity, leaseMs } from "./agent.ts";
import type { Capture } from "./capture.ts";
import { Aviary } from "./kinds.ts";
import { Planter } from "./plant.ts";

type Task = MessageInitShape<typeof SubmitTaskRequestSchema>;

/** How long the hub waits for an agent whose stream broke. */
const resumeGraceMs = 2_000;

/** How often something is looked at before agents are let in again, and before it is given up. */
const looksBeforeRestoring = 100;
/** Of the contract. */
const mostLabelCharacters = 128;
const mostLooks = 1_000;

export interface Where {
  readonly grpc: string;
  readonly http: string;
  readonly operatorTokenFile?: string;
}

/** What is planted, and names that must work although they are canaries: known before the hub is there. */
export class Seeds {
  readonly aviary = new Aviary();
  readonly planter = new Planter(this.aviary);
  readonly taskType = this.planter.name("a task type");
  readonly tool = this.planter.word("a tool");
  readonly packs = ["dev", "liar", "push"].map((name) => `${name}:${this.planter.word("a pack")}`);
}

/** Clients of a hub that fill every field they have with canaries, and keep every byte they get. */
export class Scene {
  readonly planter: Planter;
  readonly capture: Capture;
  readonly where: Where;
  readonly orchestrator: Client<typeof OrchestratorService>;
  readonly registry: Client<typeof RegistryService>;
  readonly audit: Client<typeof AuditService>;
  readonly inspection: Client<typeof InspectionService>;
  readonly taskType: string;
  readonly tool: string;
  readonly #packs: readonly string[];
  readonly #reportsTurns: boolean;
  readonly #replyTo: string | undefined;
  readonly #sessions: Http2SessionManager;
  readonly #known: { readonly packId: string; readonly instanceId: string }[] = [];
  #tasks = 0;

  constructor(
    where: Where,
    { planter, taskType, tool, packs }: Seeds,
    capture: Capture,
    { reportsTurns = true, replyTo }: { readonly reportsTurns?: boolean; readonly replyTo?: string } = {},
  ) {
    this.#replyTo = replyTo;
    this.#packs = packs;
    this.#reportsTurns = reportsTurns;
    this.where = where;
    this.planter = planter;
    this.taskType = taskType;
    this.tool = tool;
    this.capture = capture;
    this.#sessions = new Http2SessionManager(where.grpc);
    const transport = createGrpcTransport({
      baseUrl: where.grpc,
      sessionManager: this.#sessions,
      interceptors: [...asOperator(where), capture.interceptor],
    });
    this.orchestrator = createClient(OrchestratorService, transport);
    this.registry = createClient(RegistryService, transport);
    this.audit = createClient(AuditService, transport);
    this.inspection = createClient(InspectionService, transport);
  }

  close(): void {
    this.#sessions.abort();
  }

  /** An agent that can do the work, and has canaries wherever nobody checks. */
  identity(name: string, endpoint?: { readonly uri: string; readonly transport: number }): Identity {
    const known = this.#packs.find((pack) => pack.startsWith(`${name}:`));
    const packId = known ?? `${name}:${this.planter.word("a pack")}`;
    const packVersion = "1.0.0";
    const instanceId = `${name}:${this.planter.word("an instance")}`;
    this.#known.push({ packId, instanceId });
    const manifest = this.planter.message(AgentManifestSchema) as MessageInitShape<
      typeof AgentManifestSchema
    >;
    const heartbeat = this.planter.message(AgentHeartbeatSchema) as MessageInitShape<
      typeof AgentHeartbeatSchema
    >;
    return {
      manifest: {
        ...manifest,
        ...{ packId, packVersion, capabilitySchemaVersion: "1.0.0", minOrchestratorVersion: "0.1.0" },
        ...{ supportedTaskTypes: [this.taskType], safetyTier: RiskTier.CRITICAL, requiredTools: [] },
        providedTools: [this.tool],
        // Only keywords that are enforced, or begin with x-, may be in a schema.
        dataSchema: { description: this.planter.text("a schema"), "x-note": this.planter.json("a note") },
        interface: {
          supportedSchemaVersions: ["^1.0.0"],
          acceptedRiskTiers: ["LOW", "NORMAL", "CRITICAL"],
          maxConcurrentTasks: 8,
        },
      } as MessageInitShape<typeof AgentManifestSchema>,
      heartbeat: {
        ...heartbeat,
        ...{ packId, packVersion, instanceId },
        health: { status: HealthStatus.HEALTHY, degradedTools: [this.planter.word("a degraded tool")] },
        capacity: { maxTasks: 8 },
        leaseTtl: durationFromMs(leaseMs),
        availableTools: [this.tool],
        endpoint,
      } as Identity["heartbeat"],
    };
  }

  agent(name: string): CanaryAgent {
    return new CanaryAgent(
      this.where.grpc,
      this.identity(name),
      this.planter,
      this.capture,
      this.#reportsTurns,
    );
  }

  /** A task with canaries in every field, and what makes it work. */
  task(behaviour: string, more: object = {}): Task {
    const planted = this.planter.message(SubmitTaskRequestSchema, { plan: "task_type" }) as Record<
      string,
      unknown
    >;
    const contract = planted.contract as Record<string, unknown>;
    return {
      ...planted,
      idempotencyKey: `${++this.#tasks}:${this.planter.word("an idempotency key")}`.slice(0, 256),
      plan: { case: "taskType", value: this.taskType },
      contract: {
        ...contract,
        title: `scene-${behaviour} ${this.planter.text("a title")}`,
        requiredTools: [this.tool],
        environment: {},
        expectedFiles: undefined,
        tests: undefined,
      },
      ...{
        deadline: undefined,
        workspace: undefined,
        budget: undefined,
        riskTier: RiskTier.LOW,
        validateOnly: false,
        timeout: undefined,
        failureStrategy: FailureStrategy.PAUSE,
        contextLevel: ContextLevel.RICH,
        governance: undefined,
        // An address may contain a token, which no answer and no log may repeat.
        replyTo:
          this.#replyTo === undefined
            ? []
            : [`${this.#replyTo}?${encodeURIComponent(this.planter.word("a token"))}`],
        replyProgress: true,
        labels: [{ name: "team", value: this.planter.short("a label", mostLabelCharacters) }],
      },
      safety: {
        ...(planted.safety as object),
        securityFlags: undefined,
        toolAllowlist: [],
        prohibitedActions: [],
      },
      ...more,
    } as Task;
  }

  /** Tests that are canaries: neither commands nor files of a change, so a gate that asks for them fails. */
  tests() {
    return this.planter.message(TestContractSchema) as MessageInitShape<typeof TestContractSchema>;
  }

  /** Submits, and gives the pipeline's id. */
  async submit(task: Task): Promise<string> {
    const { pipeline } = await this.orchestrator.submitTask(task);
    return pipeline?.pipelineId ?? "";
  }

  /** Stages one after another, each with the context of those before it. */
  staged(behaviour: string, stageIds: readonly string[], more: object = {}): Task {
    const stages = stageIds.map((stageId, place) => ({
      ...{ stageId, taskType: this.taskType, stageName: this.planter.text("a stage's name") },
      config: {
        ...{ required: true, dependsOnStages: stageIds.slice(0, place), timeout: durationFromMs(60_000) },
        contextPropagation: {
          ...{ mode: ContextPropagationMode.CUMULATIVE, carryArtifacts: true, carryDecisions: true },
          carryRisks: true,
        },
        handoffPolicy: {
          contextLevel: ContextLevel.RICH,
          retry: { maxAttempts: 2, initialBackoff: durationFromMs(10), maxBackoff: durationFromMs(20) },
        },
        ...more,
      },
    }));
    const plan = { case: "pipeline", value: { name: this.planter.text("a pipeline's name"), stages } };
    return this.task(behaviour, { plan });
  }

  /** Looks until the pipeline is in one of these statuses. One that gets nowhere is aborted, and the story goes on. */
  async reaches(pipelineId: string, ...statuses: readonly PipelineStatus[]) {
    for (let looks = 0; ; looks++) {
      const { pipeline } = await this.orchestrator.getPipeline({ pipelineId });
      if (pipeline && statuses.includes(pipeline.status)) return pipeline;
      if (looks > 0 && looks % looksBeforeRestoring === 0) await this.#restoreAll();
      if (looks > mostLooks)
        await this.provoke(
          this.orchestrator.abortPipeline({ pipelineId, reason: this.planter.text("a reason") }),
        );
      if (looks > mostLooks + looksBeforeRestoring) return pipeline;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** Agents that were shut out for what they did are let in again. */
  async #restoreAll(): Promise<void> {
    for (const { packId, instanceId } of this.#known)
      await this.provoke(
        this.registry.restoreAgent({ packId, instanceId, reason: this.planter.text("a reason") }),
      );
  }

  /** Looks until a question about the pipeline is open. */
  async asked(pipelineId: string) {
    for (let looks = 0; looks < mostLooks; looks++) {
      if (looks > 0 && looks % looksBeforeRestoring === 0) await this.#restoreAll();
      const filter = `pipeline_id = "${pipelineId}" AND resolved = false`;
      const { escalations } = await this.orchestrator.listEscalations({ filter });
      if (escalations[0]) return escalations[0];
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    throw new Error("nobody is asked");
  }

  /** The agent goes away, and the hub no longer waits for it to come back. */
  async leaves(agent: CanaryAgent): Promise<void> {
    agent.leave();
    await agent.ended;
    await new Promise((resolve) => setTimeout(resolve, resumeGraceMs + 500));
  }

  /** Most of it is refused: the interceptor keeps why. */
  async provoke(call: Promise<unknown>): Promise<void> {
    await call.catch(() => undefined);
  }

  /** A request over plain HTTP, with everything that comes back. */
  async fetch(channel: string, path: string, init: RequestInit = {}): Promise<void> {
    const response = await fetch(`${this.where.http}${path}`, init);
    this.capture.add(channel, JSON.stringify([...response.headers]));
    this.capture.add(channel, await response.text());
  }
}
