import { setTimeout as pause } from "node:timers/promises";
import { canonicalJson, type Step } from "@baton/contract";
import { Code, ConnectError } from "@connectrpc/connect";
import { AgentError } from "./agent-error.ts";
import type { PinnableTool } from "./api/tools.ts";
import { type HubClient, hubMessage, isRefusal } from "./hub-client.ts";
import { limits } from "./limits.ts";
import { Backoff } from "./outage.ts";

interface Instance {
  readonly packId: string;
  readonly instanceId: string;
}

/** The hub's calls about durable steps and the definitions of tools. A hub that is away is called again, so that no step is lost with a connection. */
export class StepCalls {
  readonly #hub: Pick<HubClient, "registry">;
  readonly #instance: Instance;

  constructor(hub: Pick<HubClient, "registry">, instance: Instance) {
    this.#hub = hub;
    this.#instance = instance;
  }

  async report(dispatchId: string, step: Step): Promise<void> {
    await this.#call(step.name, () => this.#hub.registry.reportStep({ ...this.#instance, dispatchId, step }));
  }

  async list(dispatchId: string, after: number): Promise<readonly Step[]> {
    const { steps } = await this.#call("", () =>
      this.#hub.registry.listSteps({ ...this.#instance, dispatchId, after }),
    );
    return steps;
  }

  /** The names of the tools whose definition is the accepted one. */
  async pin(tools: readonly PinnableTool[]): Promise<readonly string[]> {
    if (tools.length === 0) return [];
    const pins = tools.map(({ name, description, inputSchema }) => {
      return { name, definitionJson: canonicalJson({ name, description, inputSchema }) };
    });
    const { accepted } = await this.#call("", () =>
      this.#hub.registry.pinTools({ ...this.#instance, tools: pins }),
    );
    return accepted;
  }

  async #call<Answer>(name: string, call: () => Promise<Answer>): Promise<Answer> {
    const backoff = new Backoff();
    for (let tries = 1; ; tries++) {
      try {
        return await call();
      } catch (error) {
        const isFinal = isRefusal(error) || (error instanceof ConnectError && finalCodes.has(error.code));
        if (isFinal || tries >= limits.stepCallTries) throw refused(name, error);
        backoff.streamEnded(undefined);
        await pause(backoff.nextMs());
      }
    }
  }
}

/** Besides those that are final for every call. */
const finalCodes = new Set([Code.NotFound, Code.ResourceExhausted, Code.Unimplemented]);

function refused(name: string, error: unknown): AgentError {
  const { message, fix } = hubMessage(error);
  const what = name === "" ? "a call about the attempt" : `the step "${name}"`;
  return new AgentError("BATON-SDK-020", `the hub refused ${what}: ${message}`, {
    at: name === "" ? "an attempt" : `step ${name}`,
    ...(fix && { fix }),
  });
}
