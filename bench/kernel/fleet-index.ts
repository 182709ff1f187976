/** What the fleet's heap and calendar earn beside a sort and a scan (docs/decisions/0012): `node bench/kernel/fleet-index.ts`. */
import { CandidateHeap, LeaseCalendar, PlainCalendar, PlainOrder } from "@baton/kernel/testing";
import { bound, compare, printTable, reportBounds } from "../measure.ts";

const size = 1_000;
const leaseMs = 600_000;
/** Below this, the plain twin would do. */
const mostOfPlain = 0.9;

/** One instance changes its load, then the best four are listed. */
function updateAndList(order: CandidateHeap | PlainOrder): () => unknown {
  const instances = Array.from({ length: size }, (_, index) => ({
    ...{ instanceId: `dev-${index}`, activeTasks: index % 5, maxTasks: 4 },
    ...{ avgLatencyMs: index % 997, leaseUntilMs: 1, position: -1 },
  }));
  for (const instance of instances) order.add(instance);
  let call = 0;
  return () => {
    call++;
    const instance = instances[(call * 7919) % size];
    if (!instance) return;
    instance.activeTasks = call % 5;
    instance.avgLatencyMs = (call * 31) % 997;
    order.move(instance);
    return order.first(4, 0);
  };
}

/** One instance renews its lease, then the leases that ran out are listed. */
function renewAndList(
  leases: LeaseCalendar<{ leaseUntilMs: number }> | PlainCalendar<{ leaseUntilMs: number }>,
): () => unknown {
  const holders = Array.from({ length: size }, (_, index) => ({ leaseUntilMs: index }));
  for (const [index, holder] of holders.entries()) leases.renew(holder, leaseMs + index);
  let nowMs = 0;
  return () => {
    nowMs++;
    const holder = holders[nowMs % size];
    if (holder) leases.renew(holder, nowMs + leaseMs);
    return leases.lapsed(nowMs);
  };
}

export function benchFleetIndex(): void {
  console.log(`the index of a fleet of ${size.toLocaleString("en")}, beside its plain twin\n`);
  const rows = [
    [
      "heap: a heartbeat, then the best four",
      updateAndList(new CandidateHeap()),
      updateAndList(new PlainOrder()),
    ],
    [
      "calendar: a renewal, then what ran out",
      renewAndList(new LeaseCalendar()),
      renewAndList(new PlainCalendar()),
    ],
  ] as const;
  printTable(
    rows.map(([work, index, plain]) => {
      const { ns, floorNs, ratio } = compare(index, plain, 5);
      bound(`${work}, times the plain twin`, ratio, mostOfPlain);
      return {
        work,
        us: (ns / 1000).toFixed(2),
        "plain us": (floorNs / 1000).toFixed(0),
        ratio: ratio.toFixed(4),
      };
    }),
  );
}

if (import.meta.main) {
  benchFleetIndex();
  reportBounds();
}
