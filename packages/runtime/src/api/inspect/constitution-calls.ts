import {
  type AlignmentReport,
  AlignmentVerdict,
  AuditEntrySchema,
  CompareConstitutionResponseSchema,
  GetConstitutionResponseSchema,
  GetWithheldAnswerResponseSchema,
} from "@baton/contract";
import { type Constitution, readConstitution, stageResult } from "@baton/kernel";
import { create, fromBinary } from "@bufbuild/protobuf";
import { countRules } from "../../governance/count-rules.ts";
import { type PastAlignment, whatIfAligned } from "../../governance/what-if-aligned.ts";
import { recordsOf } from "../../journal/read-records.ts";
import { available } from "../../ports/available.ts";
import { HubError } from "../../ports/hub-error.ts";
import { pipelineOf } from "../../ports/stored-command.ts";
import { find, type HubContext, notFound } from "../context.ts";
import type { Hub } from "../hub.ts";

type ConstitutionCalls = Pick<Hub, "getWithheldAnswer" | "getConstitution" | "compareConstitution">;

/** Decisions that are counted, and those that are compared. */
const scanLimits = { counted: 10_000, page: 1_000, compared: 1_000, defaultCompared: 100 };

export function constitutionCalls(context: HubContext): ConstitutionCalls {
  const { configuration, filter } = context;
  return {
    async getWithheldAnswer(caller, { escalationId }) {
      const missing = notFound("open question", escalationId, "list the open ones; it may be answered");
      const state = await find(context, caller, pipelineOf(escalationId)).catch((error: HubError) => {
        throw error.kind === "not-found" ? missing : error;
      });
      const [subject, alignment] =
        [...(state.alignments ?? [])].find(
          ([, { phase, report }]) => phase === "asking" && report.escalationId === escalationId,
        ) ?? [];
      if (subject === undefined || !alignment) throw missing;
      const result = stageResult(state, subject);
      return create(GetWithheldAnswerResponseSchema, {
        ...(result && { result }),
        alignment: alignment.report,
      });
    },

    async getConstitution({ tenantId }) {
      const { constitution } = configuration;
      const reports = await decidedReports(context, tenantId, scanLimits.counted);
      return create(GetConstitutionResponseSchema, {
        digest: constitution?.digest ?? "",
        version: constitution?.version ?? "",
        description: constitution?.description ?? "",
        rules: constitution
          ? countRules(
              constitution,
              reports.map(({ report }) => report),
            )
          : [],
        decisions: reports.length,
      });
    },

    async compareConstitution({ tenantId }, { file, decisions }) {
      const constitution = constitutionIn(file);
      const count = Math.min(decisions || scanLimits.defaultCompared, scanLimits.compared);
      const reports = await decidedReports(context, tenantId, count);
      const past: PastAlignment[] = [];
      for (const { pipelineId, report } of reports)
        past.push({ pipelineId, report, records: await recordsOf(context, pipelineId) });
      const { differences, notRun } = whatIfAligned(past, constitution, filter.at("event"));
      return create(CompareConstitutionResponseSchema, {
        decisionsSeen: past.length,
        differences: [...differences],
        notRun: [...notRun],
      });
    },
  };
}

/** The digest of a comparison is nobody's. */
function constitutionIn(file: unknown): Constitution {
  const reading = readConstitution(file, "");
  if (reading.ok) return reading.constitution;
  const [first] = reading.problems;
  const { code = "BATON-CONFIG-001", at = "", message = "" } = first ?? {};
  throw new HubError("invalid", code, `${at} ${message}`.trim(), {
    fix: first?.fix ?? "write a constitution",
    violations: reading.problems.map((one) => ({
      field: `file.${one.at}`,
      rule: one.code,
      message: one.message,
    })),
  });
}

interface Decided {
  readonly pipelineId: string;
  readonly report: AlignmentReport;
}

/** Decisions of a tenant in its audit record, newest first. */
async function decidedReports(
  { store }: HubContext,
  tenantId: string,
  most: number,
): Promise<readonly Decided[]> {
  const found: Decided[] = [];
  let after: readonly [bigint] | undefined;
  while (found.length < most) {
    const limit = Math.min(scanLimits.page, most - found.length);
    const rows = await available(
      store.auditEntries({
        tenantId,
        where: [{ field: "eventType", operator: "=", value: "ALIGNMENT_DECIDED" }],
        orderBy: [{ field: "sequence", descending: true }],
        after,
        limit,
      }),
    );
    for (const { entry } of rows) {
      const { pipelineId, snapshot } = fromBinary(AuditEntrySchema, entry);
      const payload = snapshot?.snapshotPayload;
      if (payload?.case === "alignment" && payload.value.verdict !== AlignmentVerdict.UNSPECIFIED)
        found.push({ pipelineId, report: payload.value });
    }
    const last = rows.at(-1);
    if (!last || rows.length < limit) break;
    after = [fromBinary(AuditEntrySchema, last.entry).sequence];
  }
  return found;
}
