import type { Batch, Store } from "@baton/runtime";
import { onTestFinished } from "vitest";

export interface StoreUnderTest {
  readonly name: string;
  /** Opens a new, empty store. */
  open(): Promise<OpenedStore>;
}

export interface OpenedStore {
  readonly store: Store;
  /** Closes the store and opens it again. Undefined for stores that keep nothing. */
  readonly reopen?: () => Promise<Store>;
  /** Closes the store and removes its data. */
  readonly dispose: () => Promise<void>;
}

/** A store with some batches, disposed of at the end of the test. */
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

/** All pages in one list. */
export async function readAll<Row>(pages: AsyncIterable<readonly Row[]>): Promise<Row[]> {
  return (await pagesOf(pages)).flat();
}
