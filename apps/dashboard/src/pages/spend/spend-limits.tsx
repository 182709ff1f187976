import { SpendPeriod, type TenantSpendLimit } from "@baton/contract/messages";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { grouped } from "../../design/spent.ts";

/** What is spent of each limit, and when it counts from zero again. */
export function SpendLimits({ limits }: { readonly limits: readonly TenantSpendLimit[] }) {
  return (
    <section className="card" aria-labelledby="limits">
      <header>
        <h2 id="limits">Limits</h2>
        <span className="quiet">
          to raise one for today: <code>npx baton spend raise --usd N --reason "…"</code>
        </span>
      </header>
      <ul className="spend-limits">
        {limits.map((limit) => (
          <li key={`${limit.period} ${limit.isMoney}`}>
            <Limit limit={limit} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Limit({
  limit: { period, isMoney, limit, raised, spent, reserved, resetsAt },
}: {
  readonly limit: TenantSpendLimit;
}) {
  const text = (amount: bigint) => (isMoney ? `$${(Number(amount) / 1e6).toFixed(2)}` : grouped(amount));
  const share = (amount: bigint) =>
    limit === 0n ? 100 : Math.min(100, (Number(amount) / Number(limit)) * 100);
  const isFull = spent + reserved >= limit;
  const what = `${period === SpendPeriod.MONTH ? "This month" : "Today"}, ${isMoney ? "money" : "tokens"}`;
  return (
    <>
      <span className="spend-limit-name">{what}</span>
      <svg className="spend-bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
        <rect className="spend-track" width={100} height={6} />
        <rect className="spend-reserved" width={share(spent + reserved)} height={6} />
        <rect className={isFull ? "spend-full" : "day-bar"} width={share(spent)} height={6} />
      </svg>
      <span>
        {text(spent)} of {text(limit)}
        {raised > 0n && `, ${text(raised)} of it for today`}
        {reserved > 0n && `, ${text(reserved)} reserved`}
      </span>
      <span className="quiet">
        {isFull ? "Full. " : ""}
        {resetsAt && `Resets ${timestampDate(resetsAt).toISOString().slice(0, 16).replace("T", " ")} UTC`}
      </span>
    </>
  );
}
