import "./spend.css";
import type { SpendRow } from "@baton/contract/messages";
import { Empty } from "../../design/empty.tsx";
import { ProblemNotice } from "../../design/problem-notice.tsx";
import { inspection } from "../../hub/client.ts";
import { useLive } from "../../hub/use-live.ts";
import { setQuery, useQuery } from "../../router/location.ts";
import { useTitle } from "../../shell/use-title.ts";
import { DayChart } from "./day-chart.tsx";
import { SpendLimits } from "./spend-limits.tsx";
import { SpendTable } from "./spend-table.tsx";
import { type Amount, type Group, groups, measureOf, totalText } from "./spending.ts";

const ranges = [7, 30, 90] as const;
const dayMs = 86_400_000;

/** What the tenant spent on models, by day, model, agent and template, and its limits (SAC-12). */
export function SpendPage() {
  useTitle("Spend");
  const query = useQuery();
  const group: Group = groups.find(({ id }) => id === query.get("by"))?.id ?? "day";
  const days = ranges.find((range) => String(range) === query.get("days")) ?? 30;
  const { value, problem } = useLive(
    `spend ${group} ${days}`,
    (signal) => {
      const fromDay = new Date(Date.now() - (days - 1) * dayMs).toISOString().slice(0, 10);
      const by = { byDay: group === "day", byModel: group === "model" };
      const of = { byPack: group === "agent", byTemplate: group === "template" };
      return inspection.getSpend({ fromDay, ...by, ...of }, { signal });
    },
    { everyMs: 10_000 },
  );
  const amount: Amount = query.get("in") === "tokens" || !hasCost(value?.rows) ? "tokens" : "cost";
  const isEmpty = value !== undefined && value.rows.length === 0;
  return (
    <div className="stack">
      <div className="page-head">
        <h1>Spend</h1>
        <span className="spring" />
        <label className="spend-range">
          <span className="sr">Days</span>
          <select value={days} onChange={({ target }) => setQuery({ days: target.value })}>
            {ranges.map((range) => (
              <option key={range} value={range}>
                Last {range} days
              </option>
            ))}
          </select>
        </label>
      </div>
      {problem && <ProblemNotice problem={problem} />}
      {!value && !problem && <div className="card runs-loading" aria-busy="true" />}
      {value && value.limits.length > 0 && <SpendLimits limits={value.limits} />}
      {value && (
        <section className="card" aria-labelledby="spent">
          <header>
            <h2 id="spent">Spent</h2>
            <span className="quiet">{totalText(value.total?.usage)}</span>
            <span className="spring" />
            <Choice
              label="Measure"
              options={[
                { id: "cost", name: "Cost" },
                { id: "tokens", name: "Tokens" },
              ]}
              chosen={amount}
              onChoose={(id) => setQuery({ in: id })}
            />
          </header>
          <div className="spend-by">
            <Choice label="By" options={groups} chosen={group} onChoose={(id) => setQuery({ by: id })} />
          </div>
          {isEmpty ? (
            <Empty title="Nothing was spent in these days">
              <p>Agents report what calls of models spend: docs/how-to/write-an-agent.md.</p>
            </Empty>
          ) : (
            <>
              {group === "day" && (
                <DayChart rows={value.rows} from={value.fromDay} to={value.toDay} amount={amount} />
              )}
              <SpendTable rows={value.rows} group={group} amount={amount} hasMore={value.moreRows} />
            </>
          )}
        </section>
      )}
    </div>
  );
}

function hasCost(rows: readonly SpendRow[] = []): boolean {
  return rows.some((row) => measureOf(row, "cost") > 0);
}

interface ChoiceProps<Id extends string> {
  readonly label: string;
  readonly options: readonly { readonly id: Id; readonly name: string }[];
  readonly chosen: Id;
  readonly onChoose: (id: Id) => void;
}

function Choice<Id extends string>({ label, options, chosen, onChoose }: ChoiceProps<Id>) {
  return (
    <div className="spend-choice" role="group" aria-label={label}>
      {options.map(({ id, name }) => (
        <button
          key={id}
          type="button"
          className="button small"
          aria-pressed={id === chosen}
          onClick={() => onChoose(id)}
        >
          {name}
        </button>
      ))}
    </div>
  );
}
