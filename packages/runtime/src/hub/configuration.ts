import type { PipelineTemplate, RoutingPolicy } from "@baton/kernel";

/** What people can change while the hub runs. */
export interface Changeable {
  /** Without one, every pack may take the tasks it says it does. */
  readonly policy?: RoutingPolicy | undefined;
  readonly templates: ReadonlyMap<string, PipelineTemplate>;
}

/**
 * What is in force. A decision is made in one go and asks once, so that it sees what was before a change or what is after
 * it, and never a mix; a template is copied into the pipeline that is made of it.
 */
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

  replace(next: Changeable): void {
    this.#now = next;
  }
}
