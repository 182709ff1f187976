import {
  ListStepsRequestSchema,
  ReportStepRequestSchema,
  type Step,
  StepSchema,
  StepState,
  type TaskEnvelope,
} from "@baton/contract";
import type { Hub } from "@baton/runtime";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { agentCaller } from "./announce.ts";

type StepInit = Extract<MessageInitShape<typeof StepSchema>, { readonly $typeName?: never }>;

/** A completed step, unless `init` says otherwise. */
export function step(name: string, init: StepInit = {}): Step {
  const argumentsDigest = `sha256:${"0".repeat(64)}`;
  const completed = { state: StepState.COMPLETED, valueJson: JSON.stringify(`value of ${name}`) };
  return create(StepSchema, { name, argumentsDigest, occurrence: 1, ...completed, ...init });
}

/** Steps by the calls of an agent that has no stream of its own, or whose envelope lacks some. */
export class StepCalls {
  readonly #hub: () => Hub;
  readonly #attempt: { readonly packId: string; readonly instanceId: string; readonly dispatchId: string };
  readonly #envelope: TaskEnvelope;

  constructor(hub: () => Hub, envelope: TaskEnvelope) {
    this.#hub = hub;
    this.#envelope = envelope;
    const { dispatchId = "" } = envelope.execution ?? {};
    this.#attempt = { packId: "dev", instanceId: "dev-1", dispatchId };
  }

  /** Undefined when it is stored, else the code of the refusal. */
  async report(step: Step): Promise<string | undefined> {
    const request = create(ReportStepRequestSchema, { ...this.#attempt, step });
    return this.#hub()
      .reportStep(agentCaller, request)
      .then(
        () => undefined,
        (error: { readonly code: string }) => error.code,
      );
  }

  async given(): Promise<readonly Step[]> {
    const { count = 0, steps: first = [] } = this.#envelope.steps ?? {};
    const steps = [...first];
    while (steps.length < count) {
      const request = create(ListStepsRequestSchema, { ...this.#attempt, after: steps.length });
      const page = await this.#hub().listSteps(agentCaller, request);
      if (page.steps.length === 0) throw new Error(`${steps.length} of ${count} steps are listed`);
      steps.push(...page.steps);
    }
    return steps;
  }
}
