import { limits } from "../limits.ts";

interface Page<Row> {
  readonly rows: readonly Row[];
  readonly nextPageToken: string;
}

export interface Listed<Row> {
  readonly rows: readonly Row[];
  /** Whether there are more than requested. */
  readonly more: boolean;
}

/** Reads page after page, until there are enough rows or no more. */
export async function readPages<Row>(
  max: number,
  readPage: (page: { pageSize: number; pageToken: string }) => Promise<Page<Row>>,
): Promise<Listed<Row>> {
  const wanted = Math.min(max, limits.listRows);
  const rows: Row[] = [];
  let pageToken = "";
  do {
    const pageSize = Math.min(limits.pageRows, wanted - rows.length);
    const page = await readPage({ pageSize, pageToken });
    rows.push(...page.rows);
    // An empty page with a token would loop without end.
    pageToken = page.rows.length === 0 ? "" : page.nextPageToken;
  } while (pageToken !== "" && rows.length < wanted);
  return { rows: rows.slice(0, wanted), more: pageToken !== "" || rows.length > wanted };
}
