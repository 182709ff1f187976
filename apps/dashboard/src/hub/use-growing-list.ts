import { useEffect, useState } from "react";
import { type Listed, type Page, type Place, readPages } from "./read-pages.ts";
import { type Live, type LiveOptions, useLive } from "./use-live.ts";

export interface GrowingList<Row> extends Live<Listed<Row>> {
  /** Asks for another page; undefined when as many rows are shown as a list has at the most. */
  readonly more: (() => void) | undefined;
}

interface Sizes {
  readonly pageSize: number;
  /** All of these are read again whenever something moves. What is behind them is another list. */
  readonly most: number;
}

/** A list that is kept right, and grows by a page when somebody asks for it. What is shown stays while more is read. */
export function useGrowingList<Row>(
  key: string,
  { pageSize, most }: Sizes,
  readPage: (place: Place, signal: AbortSignal) => Promise<Page<Row>>,
  options: LiveOptions = {},
): GrowingList<Row> {
  const [asked, ask] = useState({ key, count: pageSize });
  const count = asked.key === key ? asked.count : pageSize;
  const live = useLive(key, (signal) => readPages(count, (place) => readPage(place, signal)), options);
  const { refresh } = live;
  useEffect(() => {
    if (count > pageSize) refresh();
  }, [count, pageSize, refresh]);
  const more = () => ask({ key, count: Math.min(most, count + pageSize) });
  return { ...live, more: count < most ? more : undefined };
}
