import type { SpendRow } from "@baton/contract/messages";
import { costText, grouped } from "../../design/spent.ts";
import { Link } from "../../router/link.tsx";
import { packAddress } from "../../router/routes.ts";
import { type Amount, type Group, groups, measureOf, nameOf } from "./spending.ts";

interface SpendTableProps {
  readonly rows: readonly SpendRow[];
  readonly group: Group;
  readonly amount: Amount;
  readonly hasMore: boolean;
}

/** The numbers. Every row but those of days has its bar. */
export function SpendTable({ rows, group, amount, hasMore }: SpendTableProps) {
  const heading = groups.find(({ id }) => id === group)?.name ?? "";
  const most = Math.max(...rows.map((row) => measureOf(row, amount)), 0);
  const sorted =
    group === "day"
      ? rows.toReversed()
      : rows.toSorted((a, b) => measureOf(b, amount) - measureOf(a, amount));
  return (
    <>
      <div
        className="table-frame"
        tabIndex={0}
        role="group"
        aria-label={`Spending by ${heading.toLowerCase()}`}
      >
        <table className="table spend-table">
          <thead>
            <tr>
              <th scope="col">{heading}</th>
              <th scope="col">Cost</th>
              <th scope="col">Calls</th>
              <th scope="col">Tokens read</th>
              <th scope="col">From a cache</th>
              <th scope="col">Tokens written</th>
            </tr>
          </thead>
          <tbody>
            {sorted.map((row) => (
              <tr key={nameOf(row, group)}>
                <th scope="row">
                  <Name row={row} group={group} />
                  {group !== "day" && <Bar share={most === 0 ? 0 : measureOf(row, amount) / most} />}
                </th>
                <td>{(row.usage && costText(row.usage)) || "none stated"}</td>
                <td>{row.calls > 0n ? grouped(row.calls) : "–"}</td>
                <td>{grouped(row.usage?.inputTokens ?? 0n)}</td>
                <td>{grouped(row.usage?.cacheReadTokens ?? 0n)}</td>
                <td>{grouped(row.usage?.outputTokens ?? 0n)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {hasMore && <p className="quiet spend-more">There are more rows. Choose fewer days.</p>}
    </>
  );
}

function Name({ row, group }: Pick<SpendTableProps, "group"> & { readonly row: SpendRow }) {
  const name = nameOf(row, group);
  return group === "agent" ? <Link href={packAddress(row.packId)}>{name}</Link> : <span>{name}</span>;
}

function Bar({ share }: { readonly share: number }) {
  return (
    <svg className="spend-bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
      <rect className="spend-track" width={100} height={6} />
      <rect className="day-bar" width={share * 100} height={6} />
    </svg>
  );
}
