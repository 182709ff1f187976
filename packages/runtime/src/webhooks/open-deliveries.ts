import type { PipelineState, WebhookPolicy } from "@baton/kernel";
import type { Clock } from "../ports/clock.ts";
import type { HookSender } from "../ports/hook-sender.ts";
import type { EgressFilter } from "../redaction/egress-filter.ts";
import type { Resolve } from "../references/url/guard.ts";
import type { Trust } from "../references/url/open-socket.ts";
import { bodyOf, type ResultBody } from "./bodies.ts";
import { Deliveries } from "./deliveries.ts";
import { httpSender } from "./http-sender.ts";
import { defaultWebhookLimits, type WebhookLimits } from "./limits.ts";
import { secretReader } from "./secrets.ts";

/** How messages to webhooks are written and sent. */
export interface HookOptions {
  /** The environment with the secrets. Default: that of the process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Writes results of governed tasks. */
  readonly resultBody?: ResultBody | undefined;
  readonly limits?: Partial<WebhookLimits>;
  /** Default: over HTTP, with the resolver of the system. */
  readonly sender?: HookSender;
  readonly resolve?: Resolve;
  readonly trust?: Trust;
}

interface DeliveriesParts {
  readonly clock: Clock;
  readonly filter: EgressFilter;
  readonly options: HookOptions;
  readonly policy: () => WebhookPolicy | undefined;
  readonly stateAt: (pipelineId: string, version: number) => Promise<PipelineState | undefined>;
  readonly signal: AbortSignal;
  readonly onProblem: (problem: Error) => void;
}

const noHosts: readonly string[] = [];

export function openDeliveries(parts: DeliveriesParts): Deliveries {
  const { clock, filter, options, policy, stateAt, signal, onProblem } = parts;
  const { env = process.env, resultBody, resolve, trust } = options;
  const limits = { ...defaultWebhookLimits, ...options.limits };
  const hosts = () => policy()?.hosts ?? noHosts;
  const redactor = filter.at("webhook");
  return new Deliveries({
    ...{ clock, limits, policy, signal, onProblem },
    sender: options.sender ?? httpSender({ hosts, nowMs: clock.nowMs, limits, resolve, trust }),
    readSecret: secretReader(env),
    body: async ({ pipelineId, delivery }, format) => {
      const state = await stateAt(pipelineId, delivery.version);
      if (!state) throw new Error("the run is not in the store");
      return bodyOf(state, delivery, format, { redactor, resultBody, maxBytes: limits.bodyBytes });
    },
  });
}
