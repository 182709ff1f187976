import type { Command } from "commander";

type Add = (program: Command) => void;

/** What adds which commands, in the order of the help. */
const parts: readonly (readonly [names: readonly string[], load: () => Promise<Add>])[] = [
  [["init"], async () => (await import("./init.ts")).addInit],
  [["check"], async () => (await import("./check.ts")).addCheck],
  [["up"], async () => (await import("./up.ts")).addUp],
  [["open"], async () => (await import("./open.ts")).addOpen],
  [["run"], async () => (await import("./run.ts")).addRun],
  [["watch"], async () => (await import("./watch.ts")).addWatch],
  [["runs", "pipeline"], async () => (await import("./runs/runs.ts")).addRuns],
  [["rewind"], async () => (await import("./rewind.ts")).addRewind],
  [["rerun"], async () => (await import("./rerun.ts")).addRerun],
  [["inbox"], async () => (await import("./inbox.ts")).addInbox],
  [["approve", "reject", "answer"], async () => (await import("./decide.ts")).addDecisions],
  [["turns"], async () => (await import("./turns.ts")).addTurns],
  [["why"], async () => (await import("./why.ts")).addWhy],
  [["agent"], async () => (await import("./agent.ts")).addAgent],
  [["tenant"], async () => (await import("./tenant.ts")).addTenant],
  [["audit"], async () => (await import("./audit/audit.ts")).addAudit],
  [["key"], async () => (await import("./key.ts")).addKey],
  [["store"], async () => (await import("./store.ts")).addStore],
];

/** Who asks for one command need not wait for the others; who asks for none that there is sees all of them. */
export function loadCommands(name: string | undefined): Promise<readonly Add[]> {
  const named = parts.filter(([names]) => name !== undefined && names.includes(name));
  return Promise.all((named.length > 0 ? named : parts).map(([, load]) => load()));
}
