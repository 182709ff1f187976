import type { Workspace } from "@baton/contract";
import type { MadePlace, PipelineInput, RefreshOutcome, Verification } from "@baton/kernel";
import type { Switchboard } from "../agents/switchboard.ts";
import { tellPulses } from "../events/tell-pulses.ts";
import type { TellPulses } from "../evidence/pulses.ts";
import type { ReferenceReader, Restored, TellLeft, Verifier, Workspaces } from "../ports/outside.ts";
import type { Driver } from "./driver.ts";
import type { Order } from "./order.ts";
import type { Restorations } from "./restorations.ts";
import { reviewInput, reviewPipelineId } from "./review-run.ts";

export interface Hands {
  readonly switchboard: Switchboard;
  readonly verifier: Verifier;
  readonly references: ReferenceReader;
  readonly uuid: () => string;
  readonly workspaces: Workspaces;
  readonly restorations: Restorations;
  /** Fires when the hub closes: what is not done by then is done in its next life. */
  readonly signal: AbortSignal;
}

const unread: RefreshOutcome = { ok: false, reason: "it could not be read" };

/** Does what a stored command says. It is crossed off when it is done, or with its answer. */
export function carryOut(hands: Hands, order: Order, driver: Driver): void {
  const { switchboard, references, workspaces, signal } = hands;
  const { id, pipelineId, command } = order;
  const answer = (input: PipelineInput) => void driver.give(pipelineId, input, { answers: id });
  switch (command.type) {
    case "send":
      switchboard.send(order, command, {
        sent: () => driver.crossOff(id),
        failed: (reason) => {
          // Whether it left in an earlier life of the hub nobody knows.
          const type = order.again ? "agent-lost" : "not-delivered";
          answer({ type, dispatchId: command.dispatchId, reason });
        },
      });
      return;
    case "cancel":
      switchboard.cancel(order, command, () => driver.crossOff(id));
      return;
    case "verify": {
      const { dispatchId } = command;
      const seen = (verification: Verification) => answer({ type: "verified", dispatchId, verification });
      const tell = tellPulses(order, dispatchId, driver, hands.uuid);
      void verify(hands, command, tell).then(seen, (error: unknown) => {
        if (!signal.aborted) seen({ commands: [], changes: undefined, unseen: String(error) });
      });
      return;
    }
    case "prepare-workspace": {
      const { stageId, attempt } = command;
      const made = (place: MadePlace) =>
        answer({ type: "workspace-prepared", stageId, attempt, made: place });
      void workspaces.prepare(command, signal).then(made, (error: unknown) => {
        const fix = "look into the hub's log, and answer with retry";
        if (!signal.aborted) made({ ok: false, reason: String(error), fix });
      });
      return;
    }
    case "release-workspace": {
      const left: TellLeft = (dispatchId, commit) =>
        driver.give(pipelineId, { type: "work-left", dispatchId, commit });
      // One that cannot be removed now is found at the next start.
      void workspaces.release(command, signal, left).then(
        () => driver.crossOff(id),
        () => !signal.aborted && driver.crossOff(id),
      );
      return;
    }
    case "restore-branches": {
      const done = (outcome: Restored) => {
        hands.restorations.told(command.restoreId, outcome);
        if (outcome.ok) driver.crossOff(id);
        else answer({ type: "branches-not-restored", reason: outcome.reason, fix: outcome.fix });
      };
      void workspaces.restore(command, signal).then(done, (error: unknown) => {
        const fix = "look into the hub's log, and rewind to the same transition again";
        if (!signal.aborted) done({ ok: false, reason: String(error), fix });
      });
      return;
    }
    case "dispatch-review": {
      const child = reviewPipelineId(order.tenantId, command.dispatchId);
      void driver.give(child, reviewInput(order, child, command.submission), { answers: id });
      return;
    }
    case "withdraw-review": {
      const child = reviewPipelineId(order.tenantId, command.dispatchId);
      const by = { kind: "system", id: "baton" } as const;
      const reason = "the work is no longer under review";
      void driver.give(child, { type: "abort", reason, by }, { answers: id });
      return;
    }
    case "report-review": {
      const { stageId, dispatchId, verdict, reason, by } = command;
      const input = { type: "agent-reviewed", stageId, dispatchId, verdict, reason, by } as const;
      void driver.give(command.pipelineId, input, { answers: id });
      return;
    }
    case "refresh": {
      const { stageId, attempt, refs, workspace, ownPlace } = command;
      const read = (outcomes: readonly RefreshOutcome[]) =>
        answer({
          ...{ type: "refreshed", stageId, attempt },
          refs: refs.map((ref, index) => ({ ref, outcome: outcomes[index] ?? unread })),
        });
      void references.read({ tenantId: order.tenantId, refs, workspace, ownPlace }, signal).then(read, () => {
        if (!signal.aborted) read([]);
      });
      return;
    }
  }
}

/**
 * First what the agent left is looked at and kept. The contract's commands run in a copy of what was kept, so that nothing
 * else that it left can make them pass.
 */
async function verify(
  { verifier, workspaces, signal }: Hands,
  {
    dispatchId,
    environment,
    testsToRun,
    workspace,
    artifacts,
    place,
    rootCommit,
  }: Extract<Order["command"], { type: "verify" }>,
  tell: TellPulses,
): Promise<Verification> {
  const left = await workspaces.look({ workspace, artifacts, place }, signal);
  if (place && left.commit === undefined) return { commands: [], ...left };
  const { changes, commit, artifacts: found } = left;
  const kept = place &&
    commit !== undefined && {
      changes,
      copy: (asInBase?: readonly string[]) =>
        workspaces.copy({ branch: place.branch, commit, ...(asInBase && { asInBase }) }, signal),
    };
  const seen = await verifier.verify(
    { dispatchId, environment, testsToRun, workspace, ...(kept && { kept }) },
    signal,
    tell,
  );
  const whole = await measure(workspaces, { workspace, commit, rootCommit }, signal);
  return {
    ...seen,
    ...(commit !== undefined && { commit }),
    ...(found && { artifacts: found }),
    ...(whole && { whole }),
  };
}

/** How much a reviewer will have to look at: not only what the attempt changed, but all stages that it builds on. */
function measure(
  workspaces: Workspaces,
  { workspace, commit, rootCommit }: MeasureJob,
  signal: AbortSignal,
): Promise<Verification["whole"]> {
  const { repository, path, baseCommit } = workspace;
  if (commit !== undefined && rootCommit !== undefined)
    return workspaces.measure({ repository, base: rootCommit, commit }, signal);
  if (commit !== undefined || path === "") return Promise.resolve(undefined);
  return workspaces.measure({ folder: path, base: rootCommit ?? baseCommit }, signal);
}

interface MeasureJob {
  readonly workspace: Workspace;
  readonly commit: string | undefined;
  readonly rootCommit: string | undefined;
}
