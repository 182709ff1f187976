import { type Pipeline, PipelineStatus } from "@baton/contract/messages";
import { type ReactNode, useState } from "react";
import { hasEnded } from "../../design/ends.ts";
import { useKeptFocus } from "../../design/use-kept-focus.ts";
import { orchestrator } from "../../hub/client.ts";
import { useShortcut } from "../../router/keys.ts";
import { ReasonSheet } from "./reason-sheet.tsx";
import { LimitsButton } from "./steer/limits-button.tsx";

interface Action {
  readonly name: string;
  readonly title: string;
  readonly effect: string;
  readonly isGrave?: boolean;
  readonly run: (reason: string) => Promise<unknown>;
}

/** Actions on a run (PIP-10). Each is audited with the person and the reason. */
export function RunActions({
  pipeline,
  onChanged,
  children,
}: {
  readonly pipeline: Pipeline;
  readonly onChanged: () => void;
  readonly children: ReactNode;
}) {
  const [asked, ask] = useState<Action>();
  const actions = actionsFor(pipeline);
  const [wasActive] = useState(!hasEnded(pipeline));
  useKeptFocus(actions.length > 0);
  useShortcut("p", "Pause or resume this run", () => ask(actions.find(({ isGrave }) => !isGrave)));
  return (
    <div className={wasActive ? "row run-actions reserved" : "row run-actions"}>
      {actions.map((action) => (
        <button
          // Pause and Resume share a key, so that the button keeps the focus.
          key={action.isGrave ? "abort" : "pause-or-resume"}
          type="button"
          className={action.isGrave ? "button danger" : "button"}
          onClick={() => ask(action)}
        >
          {action.name}
        </button>
      ))}
      <LimitsButton pipeline={pipeline} onChanged={onChanged} />
      {children}
      {asked && (
        <ReasonSheet
          title={asked.title}
          effect={asked.effect}
          button={asked.name}
          isGrave={asked.isGrave ?? false}
          onRun={asked.run}
          onDone={() => {
            ask(undefined);
            onChanged();
          }}
          onClose={() => ask(undefined)}
        />
      )}
    </div>
  );
}

function actionsFor({ pipelineId, status }: Pipeline): readonly Action[] {
  const pause: Action = {
    name: "Pause",
    title: "Pause this run",
    effect: "No further stages are dispatched. Running attempts continue, and their results are kept.",
    run: (reason) => orchestrator.pausePipeline({ pipelineId, reason }),
  };
  const resume: Action = {
    name: "Resume",
    title: "Resume this run",
    effect: "Continues where the run stopped. A failed stage is retried.",
    run: (reason) => orchestrator.resumePipeline({ pipelineId, reason }),
  };
  const abort: Action = {
    name: "Abort",
    title: "Abort this run",
    effect: "Cancels running attempts and closes open questions. Only a rewind can restart the run.",
    isGrave: true,
    run: (reason) => orchestrator.abortPipeline({ pipelineId, reason }),
  };
  if (status === PipelineStatus.RUNNING) return [pause, abort];
  return status === PipelineStatus.PAUSED ? [resume, abort] : [];
}
