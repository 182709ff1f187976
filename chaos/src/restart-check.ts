import { isAnswer } from "./load/api.ts";
import type { Scene } from "./scene.ts";
import type { Violations } from "./violations.ts";

const pageSize = 1_000;

/**
 * What can be asked of a hub that has just come back: everything that was acknowledged is there, nothing that was shown
 * is taken back, and the audit record goes on from the entry that was the last. False when the hub died meanwhile.
 */
export async function checkRestart({ api, ledger }: Scene, violations: Violations): Promise<boolean> {
  const missing = new Map(ledger.all.map((one) => [one.pipelineId, one]));
  const { auditHead, revisions } = ledger;
  try {
    for (let pageToken = ""; ; ) {
      const page = await api.orchestrator.listPipelines({ pageSize, pageToken });
      for (const pipeline of page.pipelines) {
        missing.delete(pipeline.pipelineId);
        ledger.showAfter(revisions, pipeline);
      }
      pageToken = page.nextPageToken;
      if (pageToken === "") break;
    }
    for (const { key, pipelineId } of missing.values())
      violations.add(
        "nothing that was acknowledged is lost",
        `${key} (${pipelineId}) is gone after a restart`,
      );
    if (auditHead) {
      const kept = await api.audit.listAuditEntries({ filter: `sequence = ${auditHead.sequence}` });
      const hash = hex(kept.entries[0]?.entryHash);
      violations.demand(
        hash === auditHead.hash,
        "no audit entry is lost or changed",
        () => `entry ${auditHead.sequence} had ${auditHead.hash} and has ${hash || "nothing"}`,
      );
    }
    const newest = await api.audit.listAuditEntries({ orderBy: "sequence desc", pageSize: 1 });
    const [entry] = newest.entries;
    if (entry) ledger.auditHead = { sequence: entry.sequence, hash: hex(entry.entryHash) };
    return true;
  } catch (error) {
    if (isAnswer(error)) violations.add("a hub that came back shows what it has", String(error));
    return false;
  }
}

function hex(bytes: Uint8Array | undefined): string {
  return bytes ? Buffer.from(bytes).toString("hex") : "";
}
