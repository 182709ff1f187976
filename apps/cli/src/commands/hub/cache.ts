import {
  type CacheRecord,
  CacheRecordSchema,
  encodeJson,
  ListCacheRecordsResponseSchema,
} from "@baton/contract/forms";
import { create } from "@bufbuild/protobuf";
import type { Command } from "commander";
import { exitCode } from "../../exit-code.ts";
import { limits } from "../../limits.ts";
import { type Session, withHub } from "../../session.ts";
import { readRows } from "../../task/values.ts";
import { renderCache, renderOutcome } from "../../views/cache/cache-view.ts";
import { withExamples } from "../options/examples.ts";
import { printMore } from "../options/print-more.ts";

interface ListOptions {
  readonly key?: string;
  readonly limit: number;
}

/** The outcomes of governed tasks that later ones reuse. */
export function addCache(program: Command): void {
  const cache = program
    .command("cache")
    .description("Lists and shows the stored outcomes of governed tasks, and revokes one.");
  withExamples(cache, [
    ["baton cache list", "the newest outcomes and revocations"],
    ["baton cache show KEY", "one outcome with its output"],
    ['baton cache revoke KEY --reason "it is wrong"', "no later task reuses it"],
  ]);
  const list = cache
    .command("list")
    .summary("list the stored outcomes")
    .description("Lists the stored outcomes, the newest first. A revocation is a further row of its key.")
    .option("--key <key>", "only this key")
    .option("--limit <n>", "the maximum number of rows", readRows, limits.defaultListRows)
    .action((options: ListOptions, command: Command) =>
      withHub(command, (session) => printList(session, options)),
    );
  withExamples(list, [["baton cache list --output jsonl | jq -r .cacheKey", "the keys, for a program"]]);
  const show = cache
    .command("show")
    .summary("show one outcome")
    .description("Shows the newest outcome of a key, with its output and the task that it comes from.")
    .argument("<key>", "the key, as `baton cache list` prints it")
    .action((cacheKey: string, _: object, command: Command) =>
      withHub(command, async (session) => {
        const { hub, signal } = session;
        return print(session, (await hub.knowledge.getCacheRecord({ cacheKey }, { signal })).record);
      }),
    );
  withExamples(show, [["baton cache show KEY --output json", "all fields, for a program"]]);
  const revoke = cache
    .command("revoke")
    .summary("revoke an outcome")
    .description("Revokes the outcome of a key: no later task reuses it. It stays readable.")
    .argument("<key>", "the key, as `baton cache list` prints it")
    .requiredOption("--reason <text>", "the reason (required); audited with your name")
    .action((cacheKey: string, { reason }: { readonly reason: string }, command: Command) =>
      withHub(command, async (session) => {
        const { hub, signal } = session;
        const { record } = await hub.knowledge.revokeCacheRecord({ cacheKey, reason }, { signal });
        return print(session, record);
      }),
    );
  withExamples(revoke, [['baton cache revoke KEY --reason "the source was withdrawn"', "revokes it"]]);
}

async function printList(session: Session, { key = "", limit }: ListOptions): Promise<number> {
  const { hub, signal, output } = session;
  const rows: CacheRecord[] = [];
  let pageToken = "";
  do {
    const pageSize = Math.min(limits.pageRows, limit - rows.length);
    const page = await hub.knowledge.listCacheRecords({ cacheKey: key, pageSize, pageToken }, { signal });
    rows.push(...page.records);
    pageToken = page.nextPageToken;
  } while (pageToken !== "" && rows.length < limit);
  if (output === "json") {
    const response = create(ListCacheRecordsResponseSchema, { records: rows });
    await session.writeJson(encodeJson(ListCacheRecordsResponseSchema, response));
  } else if (output === "jsonl")
    for (const row of rows) await session.writeJson(encodeJson(CacheRecordSchema, row));
  else if (rows.length === 0) session.printNote("nothing is stored");
  else await session.write(renderCache(session.terminal, rows));
  if (pageToken !== "") printMore(session, limit);
  return exitCode.ok;
}

async function print(session: Session, record: CacheRecord | undefined): Promise<number> {
  if (!record) return exitCode.ok;
  if (session.output === "text") await session.write(renderOutcome(session.terminal, record));
  else await session.writeJson(encodeJson(CacheRecordSchema, record));
  return exitCode.ok;
}
