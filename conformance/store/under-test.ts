import type { Batch, Store } from "@baton/runtime";
import { onTestFinished } from "vitest";

export interface StoreUnderTest {
  readonly name: string;
  /** A new store with nothing in it. */
  open(): Promise<OpenedStore>;
}

export interface OpenedStore {
  readonly store: Store;
  /** Closes it and opens what is kept. Absent when nothing outlives the store. */
  readonly reopen?: () => Promise<Store>;
  /** Closes what is open, and removes what is kept. */
  readonly dispose: () => Promise<void>;
}

/** A store that goes away with the test, with some batches in it. */
export async function openForTest(subject: StoreUnderTest, ...batches: readonly Batch[]): Promise<Store> {
  const { store, dispose } = await subject.open();
  onTestFinished(dispose);
  for (const each of batches) await store.commit(each);
  return store;
}

export async function pagesOf<Row>(pages: AsyncIterable<readonly Row[]>): Promise<(readonly Row[])[]> {
  const all: (readonly Row[])[] = [];
  for await (const page of pages) all.push(page);
  return all;
}

/** What comes in pages, in one list. */
export async function readAll<Row>(pages: AsyncIterable<readonly Row[]>): Promise<Row[]> {
  return (await pagesOf(pages)).flat();
}
