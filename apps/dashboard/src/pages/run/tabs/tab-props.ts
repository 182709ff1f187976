import type { AttemptSummary, GetAttemptResponse, Pipeline, Stage } from "@baton/contract/messages";

/** What every tab of a stage is given. */
export interface TabProps {
  readonly pipeline: Pipeline;
  readonly stage: Stage;
  /** The attempt that is looked at; undefined when nothing was sent yet. */
  readonly summary: AttemptSummary | undefined;
  /** All of it; undefined until it is read. */
  readonly attempt: GetAttemptResponse | undefined;
}
