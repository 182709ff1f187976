export interface Place {
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

/** Reads page after page until there are enough rows or no more: a page of large rows has fewer than were asked for. */
export async function readPages<Row>(
  most: number,
  readPage: (place: Place) => Promise<Page<Row>>,
): Promise<Listed<Row>> {
  const rows: Row[] = [];
  let pageToken = "";
  do {
    const page = await readPage({ pageSize: most - rows.length, pageToken });
    rows.push(...page.rows);
    // A page that is empty and leads to another would lead nowhere for ever.
    pageToken = page.rows.length === 0 ? "" : page.nextPageToken;
  } while (pageToken !== "" && rows.length < most);
  return { rows, hasMore: pageToken !== "" };
}
