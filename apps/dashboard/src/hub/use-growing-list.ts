import { useEffect, useState } from "react";
import { type Listed, type Page, type PagePosition, readPages } from "./read-pages.ts";
import { type Live, type LiveOptions, useLive } from "./use-live.ts";

export interface GrowingList<Row> extends Live<Listed<Row>> {
  /** Reads another page; undefined at the largest size of the list. */
  readonly more: (() => void) | undefined;
}

interface Sizes {
  readonly pageSize: number;
  /** All rows are read again on every change, so the size is limited. */
  readonly max: number;
}

/** A live list that grows by pages. The rows stay while more are read. */
export function useGrowingList<Row>(
  key: string,
  { pageSize, max }: Sizes,
  readPage: (position: PagePosition, signal: AbortSignal) => Promise<Page<Row>>,
  options: LiveOptions = {},
): GrowingList<Row> {
  const [requested, request] = useState({ key, count: pageSize });
  const count = requested.key === key ? requested.count : pageSize;
  const live = useLive(key, (signal) => readPages(count, (position) => readPage(position, signal)), options);
  const { refresh } = live;
  useEffect(() => {
    if (count > pageSize) refresh();
  }, [count, pageSize, refresh]);
  const more = () => request({ key, count: Math.min(max, count + pageSize) });
  return { ...live, more: count < max ? more : undefined };
}
