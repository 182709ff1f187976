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
  readonly tells: string;
  readonly isGrave?: boolean;
  readonly run: (reason: string) => Promise<unknown>;
}

/** What a person may do with a run as a whole (PIP-10). Who it was and why is on record. */
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
  const [wasUnderWay] = useState(!hasEnded(pipeline));
  useKeptFocus(actions.length > 0);
  useShortcut("p", "Pause or resume this run", () => ask(actions.find(({ isGrave }) => !isGrave)));
  return (
    <div className={wasUnderWay ? "row run-actions reserved" : "row run-actions"}>
      {actions.map((action) => (
        <button
          // Pause becomes Resume in its place, and keeps the focus.
          key={action.isGrave ? "grave" : "usual"}
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
          tells={asked.tells}
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
    tells: "Nothing more of it is handed out. What agents are at goes on, and its answers are kept.",
    run: (reason) => orchestrator.pausePipeline({ pipelineId, reason }),
  };
  const resume: Action = {
    name: "Resume",
    title: "Resume this run",
    tells: "It goes on where it stopped. A stage that had failed is tried again.",
    run: (reason) => orchestrator.resumePipeline({ pipelineId, reason }),
  };
  const abort: Action = {
    name: "Abort",
    title: "Abort this run",
    tells:
      "It ends now; only a rewind brings it back. What its agents are at is cancelled; open questions are closed.",
    isGrave: true,
    run: (reason) => orchestrator.abortPipeline({ pipelineId, reason }),
  };
  if (status === PipelineStatus.RUNNING) return [pause, abort];
  return status === PipelineStatus.PAUSED ? [resume, abort] : [];
}
