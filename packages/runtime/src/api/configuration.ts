import type {
  Constitution,
  GuardrailPolicy,
  PipelineTemplate,
  RoutingPolicy,
  SpendLimits,
  WebhookPolicy,
} from "@baton/kernel";

/** Settings that can change while the hub runs. */
export interface Changeable {
  /** Without a policy, every pack may take the tasks in its manifest. */
  readonly policy?: RoutingPolicy | undefined;
  readonly templates: ReadonlyMap<string, PipelineTemplate>;
  /** Without them, answers are passed on unchecked. */
  readonly guardrails?: GuardrailPolicy | undefined;
  /** Without one, governed tasks have only the level that they declare. */
  readonly constitution?: Constitution | undefined;
  /** Without them, tenants may spend what they want. */
  readonly spendLimits?: SpendLimits | undefined;
  /** Without them, nobody is notified, and tasks cannot ask for results. */
  readonly webhooks?: WebhookPolicy | undefined;
}

/** The active settings. A decision reads them once, so it never sees a mix; templates are copied into runs. */
export class HubConfiguration {
  #now: Changeable;

  constructor(first: Changeable) {
    this.#now = first;
  }

  get policy(): RoutingPolicy | undefined {
    return this.#now.policy;
  }

  get templates(): ReadonlyMap<string, PipelineTemplate> {
    return this.#now.templates;
  }

  get guardrails(): GuardrailPolicy | undefined {
    return this.#now.guardrails;
  }

  get constitution(): Constitution | undefined {
    return this.#now.constitution;
  }

  get spendLimits(): SpendLimits | undefined {
    return this.#now.spendLimits;
  }

  get webhooks(): WebhookPolicy | undefined {
    return this.#now.webhooks;
  }

  replace(next: Changeable): void {
    this.#now = next;
  }
}
