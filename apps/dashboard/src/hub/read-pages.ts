export interface PagePosition {
  readonly pageSize: number;
  readonly pageToken: string;
}

export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly nextPageToken: string;
}

export interface Listed<Row> {
  readonly rows: readonly Row[];
  readonly hasMore: boolean;
}

/** Reads pages until there are `max` rows or no more. A page of large rows may have fewer than requested. */
export async function readPages<Row>(
  max: number,
  readPage: (position: PagePosition) => Promise<Page<Row>>,
): Promise<Listed<Row>> {
  const rows: Row[] = [];
  let pageToken = "";
  do {
    const page = await readPage({ pageSize: max - rows.length, pageToken });
    rows.push(...page.rows);
    // An empty page that names a next page would loop forever.
    pageToken = page.rows.length === 0 ? "" : page.nextPageToken;
  } while (pageToken !== "" && rows.length < max);
  return { rows, hasMore: pageToken !== "" };
}

/** A string literal of the filter language: docs/reference/api.md#lists. */
export function quoted(text: string): string {
  return `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}
