import type { KeptWork } from "@baton/kernel/deciding";
import { useState } from "react";
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

function Command({ text }: { readonly text: string }) {
  const [isCopied, setCopied] = useState(false);
  // Browsers have none on pages that come neither from this machine nor over TLS.
  const { clipboard } = navigator as { readonly clipboard?: Clipboard };
  return (
    <div className="merge-command">
      <code className="wrap">{text}</code>
      {clipboard && (
        <button
          type="button"
          className="button small"
          onClick={() => clipboard.writeText(text).then(() => setCopied(true))}
        >
          {isCopied ? "Copied" : "Copy"}
        </button>
      )}
    </div>
  );
}
