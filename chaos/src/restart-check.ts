import { isAnswer } from "./load/api.ts";
import type { Scene } from "./scene.ts";
import type { Violations } from "./violations.ts";

const pageSize = 1_000;

/**
 * Checks a hub that has just started: every acknowledged pipeline is there, no state is older than one seen before, and the
 * audit record continues after the newest entry seen. False when the hub died meanwhile.
 */
export async function checkRestart({ api, ledger }: Scene, violations: Violations): Promise<boolean> {
  const missing = new Map(ledger.all.map((one) => [one.pipelineId, one]));
  const { auditHead, revisions } = ledger;
  try {
    for (let pageToken = ""; ; ) {
      const page = await api.orchestrator.listPipelines({ pageSize, pageToken });
      for (const pipeline of page.pipelines) {
        missing.delete(pipeline.pipelineId);
        ledger.noteListed(revisions, pipeline);
      }
      pageToken = page.nextPageToken;
      if (pageToken === "") break;
    }
    for (const { key, pipelineId } of missing.values())
      violations.add("no acknowledged pipeline is lost", `${key} (${pipelineId}) is missing after a restart`);
    if (auditHead) {
      const kept = await api.audit.listAuditEntries({ filter: `sequence = ${auditHead.sequence}` });
      const hash = hex(kept.entries[0]?.entryHash);
      violations.check(
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
    if (isAnswer(error)) violations.add("a restarted hub answers lists", String(error));
    return false;
  }
}

function hex(bytes: Uint8Array | undefined): string {
  return bytes ? Buffer.from(bytes).toString("hex") : "";
}
