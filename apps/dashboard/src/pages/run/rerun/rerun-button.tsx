import type { GetAttemptResponse, Pipeline, Stage } from "@baton/contract/messages";
import { useState } from "react";
import { RerunSheet } from "./rerun-sheet.tsx";

interface RerunButtonProps {
  readonly pipeline: Pipeline;
  readonly stage: Stage;
  /** The attempt that is looked at: what it was given is what is changed. */
  readonly attempt: GetAttemptResponse | undefined;
}

export function RerunButton({ pipeline, stage, attempt }: RerunButtonProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" className="button small rerun-button" onClick={() => setOpen(true)}>
        Run again<span className="rest"> from here</span>
      </button>
      {isOpen && (
        <RerunSheet pipeline={pipeline} stage={stage} attempt={attempt} onClose={() => setOpen(false)} />
      )}
    </>
  );
}
