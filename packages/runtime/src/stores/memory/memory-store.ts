import type { Store } from "../../ports/store.ts";
import { StoreUnavailable } from "../../ports/store-error.ts";
import { CommitQueue } from "../commit-queue.ts";
import { pageSizes } from "../limits.ts";
import { storeReads } from "../reads.ts";
import { misuse, validateBatch, validateCheckpoint } from "../validate.ts";
import { applyBatch } from "./apply-batch.ts";
import { copy, copyCheckpoint, copyJournal } from "./copy-rows.ts";
import { keyOf, memoryReads } from "./memory-reads.ts";
import { pruneTables } from "./prune-tables.ts";
import { Tables } from "./tables.ts";

/** Keeps everything until the process ends, for tests and trials. It passes the same conformance suite as other stores. */
export function openMemoryStore(): Store {
  const tables = new Tables();
  const reads = memoryReads(tables);
  const commits = new CommitQueue();
  let isClosed = false;
  const open = (): Tables => {
    if (!isClosed) return tables;
    throw new StoreUnavailable("BATON-STORE-006", "the store in memory was closed", {
      fix: "start the hub again; what was in memory is gone",
      mayPass: false,
    });
  };
  return {
    ...storeReads((read) => {
      open();
      return read(reads);
    }),

    async commit(batch) {
      open();
      await commits.run(async () => {
        validateBatch(batch);
        applyBatch(tables, batch);
      });
    },

    async *openJournals() {
      const pipelines = [...open().pipelines.values()].filter(({ row }) => !row.ended);
      for (let start = 0; start < pipelines.length; start += pageSizes.journals) {
        open();
        const page = pipelines.slice(start, start + pageSizes.journals).filter(({ row }) => !row.ended);
        if (page.length > 0) yield page.map(copyJournal);
      }
    },

    async *fleet() {
      for (let start = 0; start < open().fleet.length; start += pageSizes.fleetRows) {
        yield tables.fleet.slice(start, start + pageSizes.fleetRows);
      }
    },

    async keepCheckpoint(row, nodes) {
      open();
      validateCheckpoint(row, nodes);
      const tenant = tables.tenant(row.tenantId);
      const isNext = row.sequence > (tenant.checkpoints.at(-1)?.sequence ?? 0n);
      const isNew = !nodes.some((node) => tenant.nodes.has(keyOf(node)));
      if (!isNext || !isNew) throw misuse(`a checkpoint at ${row.sequence} does not go on from the last one`);
      tenant.checkpoints.push(copyCheckpoint(row));
      for (const node of nodes) tenant.nodes.set(keyOf(node), copy(node.hash));
    },

    async prune(keep) {
      pruneTables(open(), keep);
      return false;
    },

    async backup(path) {
      open();
      const message = `a store in memory has no backup; "${path}" was not written`;
      throw new StoreUnavailable("BATON-STORE-007", message, {
        fix: "start the hub with a directory for its store",
        mayPass: false,
      });
    },

    async check() {
      open();
      return [];
    },

    async close() {
      isClosed = true;
    },
  };
}
