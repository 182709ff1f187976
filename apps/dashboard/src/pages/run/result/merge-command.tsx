import type { KeptWork } from "@baton/kernel/deciding";
import { Command } from "../../../design/command.tsx";
import { Part } from "../tabs/texts.tsx";

interface MergeCommandProps {
  readonly work: readonly KeptWork[];
  /** Whether the run completed; else only what was accepted before it ended. */
  readonly isWhole: boolean;
}

/** What to type to take the work over. */
export function MergeCommand({ work, isWhole }: MergeCommandProps) {
  if (work.length === 0) return null;
  return (
    <Part title={isWhole ? "Merge the work" : "Merge what was accepted"}>
      {work.map(({ mergeCommand }) => (
        <Command key={mergeCommand} text={mergeCommand} />
      ))}
    </Part>
  );
}
