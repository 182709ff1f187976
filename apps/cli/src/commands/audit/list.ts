import {
  type AuditEntry,
  AuditEntrySchema,
  AuditEventType,
  encodeJson,
  ListAuditEntriesResponseSchema,
} from "@baton/contract/forms";
import { create } from "@bufbuild/protobuf";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { type Command, InvalidArgumentError, Option } from "commander";
import { readExport } from "../../audit/read-export.ts";
import { CliError } from "../../errors/cli-error.ts";
import { exitCode } from "../../exit-code.ts";
import { all, quote } from "../../hub/filter.ts";
import { readPages } from "../../hub/read-pages.ts";
import { limits } from "../../limits.ts";
import { type Printer, withoutHub } from "../../output.ts";
import { findPipeline } from "../../queries/find-pipeline.ts";
import { type Session, withHub } from "../../session.ts";
import { readRows } from "../../task/values.ts";
import { renderEntries } from "../../views/audit/audit-list.ts";
import { withExamples } from "../options/examples.ts";
import { printMore } from "../options/print-more.ts";
import { addRunOption, type RunOption, runOf } from "../options/run-option.ts";

const types: readonly string[] = Object.keys(AuditEventType)
  .filter((name) => Number.isNaN(Number(name)) && name !== "UNSPECIFIED")
  .map(optionOf);

/** `gate-rejected` for AUDIT_EVENT_TYPE_GATE_REJECTED. A pipeline of the contract is called a run. */
function optionOf(name: string): string {
  return name
    .toLowerCase()
    .replaceAll("_", "-")
    .replace(/^pipeline-/, "run-");
}

/** Accepts the contract's name too. */
function readType(text: string): string {
  const type = optionOf(text);
  if (types.includes(type)) return type;
  throw new InvalidArgumentError(`Allowed choices are ${types.join(", ")}.`);
}

function typeNameOf(option: string): string {
  return `AUDIT_EVENT_TYPE_${option.replace(/^run-/, "pipeline-").toUpperCase().replaceAll("-", "_")}`;
}

interface ListOptions extends RunOption {
  readonly type?: string;
  readonly since?: string;
  readonly filter?: string;
  readonly limit: number;
  readonly file?: string;
}

export function addList(audit: Command): void {
  const list = audit
    .command("list")
    .summary("list entries, the newest first")
    .description("Lists entries of the record, the newest first.");
  addRunOption(list, "only entries of this run; the beginning of its id is enough")
    .addOption(new Option("--type <type>", "only entries of this type").choices(types).argParser(readType))
    .option(
      "--since <time>",
      "only entries since a duration or a time: 2h, 1d, 2027-01-31T12:00:00Z",
      readSince,
    )
    .option("--filter <expression>", "a filter of the API, such as: sequence > 100")
    .option("--file <file>", "read an exported file instead of the hub")
    .option("--limit <n>", "the maximum number of rows", readRows, limits.defaultListRows)
    .action((options: ListOptions, command: Command) => {
      const { file } = options;
      if (file !== undefined) return withoutHub(command, (printer) => listFile(printer, file, options));
      return withHub(command, (session) => listEntries(session, options));
    });
  withExamples(list, [
    ["baton audit list --type gate-rejected --since 1d", "rejections since yesterday"],
    ["baton audit list --run p-3s43k65n --output jsonl", "for a program"],
  ]);
}

const units = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

function readSince(text: string): string {
  const [, amount, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  const ms =
    amount !== undefined && unit !== undefined
      ? Date.now() - Number(amount) * units[unit as keyof typeof units]
      : Date.parse(/^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/.test(text) ? text : "");
  if (!Number.isNaN(ms)) return new Date(ms).toISOString();
  throw new InvalidArgumentError("Give a time ago such as 2h, or an instant: 2027-01-31T12:00:00Z.");
}

async function listEntries(session: Session, options: ListOptions): Promise<number> {
  const { hub, signal } = session;
  const run = runOf(options);
  const pipeline = run && (await findPipeline(hub, run, signal)).pipelineId;
  const filter = all(
    pipeline && `pipeline_id = ${quote(pipeline)}`,
    options.type && `event_type = ${typeNameOf(options.type)}`,
    options.since && `timestamp >= ${quote(options.since)}`,
    options.filter,
  );
  const { rows, more } = await readPages(options.limit, async (page) => {
    const request = { ...page, filter, orderBy: "sequence desc" };
    const { entries, nextPageToken } = await hub.audit.listAuditEntries(request, { signal });
    return { rows: entries, nextPageToken };
  });
  await writeEntries(session, rows, filter === "" ? "the record is empty" : "no matching entries");
  if (more) printMore(session, options.limit);
  return exitCode.ok;
}

/** The newest matching entries, then a note if the file is not whole. */
async function listFile(printer: Printer, file: string, options: ListOptions): Promise<number> {
  if (options.filter !== undefined) {
    throw new CliError("BATON-CLI-001", "--filter cannot be used with --file", {
      fix: "use --run, --type and --since",
    });
  }
  const run = runOf(options);
  const sinceMs = options.since === undefined ? undefined : Date.parse(options.since);
  const rows: AuditEntry[] = [];
  const verdict = readExport(file, {}, (entry) => {
    if (run !== undefined && !entry.pipelineId.startsWith(run)) return;
    if (options.type !== undefined && options.type !== nameOf(entry)) return;
    if (sinceMs !== undefined && (!entry.timestamp || timestampMs(entry.timestamp) < sinceMs)) return;
    rows.push(entry);
    if (rows.length > options.limit) rows.shift();
  });
  await writeEntries(printer, rows.reverse(), "no matching entries");
  if (verdict.valid) return exitCode.ok;
  printer.printNote(`the file is not valid: ${verdict.problem}`);
  return exitCode.recordBad;
}

function nameOf({ eventType }: AuditEntry): string {
  return optionOf(AuditEventType[eventType] ?? "");
}

async function writeEntries(printer: Printer, rows: readonly AuditEntry[], none: string): Promise<void> {
  if (printer.output === "json") {
    const response = create(ListAuditEntriesResponseSchema, { entries: [...rows] });
    await printer.writeJson(encodeJson(ListAuditEntriesResponseSchema, response));
  } else if (printer.output === "jsonl") {
    for (const row of rows) await printer.writeJson(encodeJson(AuditEntrySchema, row));
  } else if (rows.length === 0) {
    printer.printNote(none);
  } else {
    await printer.write(renderEntries(printer.terminal, rows));
  }
}
