import { setTimeout as pause } from "node:timers/promises";
import type { SubmitTaskResponse } from "@baton/contract";
import type { Chance } from "../chance.ts";
import type { Figures } from "../figures.ts";
import { type Form, limits } from "../limits.ts";
import type { Violations } from "../violations.ts";
import { type Api, untilAnswered } from "./api.ts";
import type { Acknowledged, Ledger } from "./ledger.ts";
import { defaultScenarios, type ScenarioName, submissionOf } from "./scenarios.ts";

export interface LoadParts {
  readonly api: Api;
  readonly ledger: Ledger;
  readonly chance: Chance;
  readonly figures: Figures;
  readonly violations: Violations;
}

/** Submits pipelines, each with an idempotency key, until they are acknowledged. */
export class Load {
  readonly #parts: LoadParts;
  #submitted = 0;
  #going: Promise<void> | undefined;
  #enough = false;

  constructor(parts: LoadParts) {
    this.#parts = parts;
  }

  /** Keeps that many pipelines open until `end`. */
  begin(form: Pick<Form, "openPipelines" | "submitMs">): void {
    this.#enough = false;
    this.#going = this.#keepOpen(form);
  }

  async end(): Promise<void> {
    this.#enough = true;
    await this.#going;
  }

  async submit(scenario: ScenarioName): Promise<Acknowledged> {
    const { api, ledger, chance, figures, violations } = this.#parts;
    const key = `chaos-${++this.#submitted}`;
    const request = submissionOf(scenario, key);
    const times = chance.next() < 0.3 ? chance.int(2, limits.repeats) : 1;
    figures.fault("a submission repeated", times - 1);
    const answers: SubmitTaskResponse[] = [];
    const once = async () => {
      answers.push(await untilAnswered(api, (options) => api.orchestrator.submitTask(request, options)));
    };
    await Promise.all(Array.from({ length: times }, once));
    const ids = new Set(answers.map(({ pipeline }) => pipeline?.pipelineId));
    const created = answers.filter(({ existing }) => !existing).length;
    if (ids.size !== 1 || created > 1)
      violations.add("a submission counts once", `${key} made ${created}, and named ${[...ids].join(", ")}`);
    const [first] = answers;
    if (!first?.pipeline) throw new Error("a response has a pipeline");
    return ledger.acknowledge(key, scenario, first.pipeline);
  }

  async #keepOpen({ openPipelines, submitMs }: Pick<Form, "openPipelines" | "submitMs">): Promise<void> {
    const { ledger, chance, api, violations } = this.#parts;
    let underWay = 0;
    while (!this.#enough && !api.signal.aborted) {
      if (ledger.open.length + underWay < openPipelines) {
        underWay++;
        const refused = (error: unknown) => {
          if (!api.signal.aborted) violations.add("a valid submission is accepted", String(error));
        };
        this.submit(chance.pick(defaultScenarios))
          .catch(refused)
          .finally(() => underWay--);
      }
      await pause(submitMs);
    }
    while (underWay > 0 && !api.signal.aborted) await pause(limits.pollMs);
  }
}
