import type { Lesson } from "@baton/contract";
import type { ReviewPolicy, RoutingPolicy } from "./dispatch/routing-policy.ts";
import type { FleetView } from "./fleet/fleet-view.ts";
import type { Halt } from "./fleet/state/record.ts";
import type { CacheView } from "./governance/cache/view.ts";
import type { Constitution } from "./governance/constitution.ts";
import type { GuardrailPolicy } from "./guardrails/policy.ts";
import type { Allowance } from "./spend-limits.ts";
import type { Digest } from "./trust/audit/digest.ts";
import type { EntropyOptions } from "./trust/entropy/entropy.ts";
import type { NotificationRule } from "./webhook-policy.ts";

/** Everything a decision depends on besides the state. An argument, so that decisions can be repeated. */
export interface World {
  readonly nowMs: number;
  /** Spreads retries; the same seed gives the same decision. */
  readonly seed: number;
  readonly fleet: FleetView;
  readonly policy: RoutingPolicy;
  /** Tasks of the tenant that wait for an agent, in all its pipelines. */
  readonly queueDepth: number;
  readonly orchestratorVersion: string;
  readonly schemaVersion: string;
  readonly review: ReviewPolicy;
  readonly entropy: EntropyOptions;
  /** Without them, answers are passed on unchecked. */
  readonly guardrails?: GuardrailPolicy | undefined;
  /** What is known about the key of the task; absent for tasks that are not cached. */
  readonly cache?: CacheView | undefined;
  /** Tools that act on nothing: an outcome for which only these were used may be reused. */
  readonly harmlessTools?: ReadonlySet<string> | undefined;
  /** Lessons of the key of the task, the newest first; absent for tasks that learn nothing. */
  readonly lessons?: readonly Lesson[] | undefined;
  /** Identifies what is stored. */
  readonly digest?: Digest | undefined;
  /** Without one, governed tasks have only the level that they declare. */
  readonly constitution?: Constitution | undefined;
  /** Set while the tenant is stopped: nothing is dispatched, and active runs pause. */
  readonly halt?: Halt | undefined;
  /** Set where the spending of the tenant is limited: as it was before this decision. */
  readonly allowance?: Allowance | undefined;
  /** Who is sent events of runs of the tenant. */
  readonly notifications?: readonly Pick<NotificationRule, "name" | "events">[] | undefined;
}
