import { useState } from "react";
import { audit } from "../../hub/client.ts";
import { problemOf } from "../../hub/problem.ts";
import { announce } from "../../shell/announcement.tsx";

/** Downloads the audit record as a file that can be verified without the hub. */
export function ExportButton({ pipelineId }: { readonly pipelineId: string }) {
  const [isBusy, setBusy] = useState(false);
  const isOne = /^p-[0-9a-z]{20}$/.test(pipelineId);
  const save = async () => {
    setBusy(true);
    try {
      const pieces: BlobPart[] = [];
      const request = { pipelineId: isOne ? pipelineId : "" };
      for await (const { piece } of audit.exportAudit(request, { timeoutMs: 600_000 }))
        pieces.push(piece.slice());
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob(pieces));
      link.download = `${isOne ? pipelineId : "record"}.audit.jsonl`;
      link.click();
      URL.revokeObjectURL(link.href);
      announce("File saved. Verify it with `baton audit verify`.");
    } catch (error) {
      announce(problemOf(error).message);
    }
    setBusy(false);
  };
  return (
    <button type="button" className="button" onClick={save} disabled={isBusy}>
      {isBusy ? "Exporting…" : isOne ? "Export this run" : "Export"}
    </button>
  );
}
