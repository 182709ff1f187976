import { type EdgeDecision, EdgeKind, type Pipeline } from "@baton/contract/messages";
import { describeValues } from "@baton/kernel/deciding";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { VisibleText } from "../../../design/visible-text.tsx";

/** Work that went back along an edge, round by round (SACP §11). Nothing when none did. */
export function Negotiation({ pipeline: { stages } }: { readonly pipeline: Pipeline }) {
  const rounds = stages
    .flatMap(({ edges }) => edges.filter(({ kind, taken }) => kind === EdgeKind.BACK && taken))
    .toSorted((a, b) => msOf(a) - msOf(b));
  if (rounds.length === 0) return null;
  return (
    <section className="card negotiation" aria-labelledby="negotiation">
      <h2 id="negotiation">Negotiation</h2>
      <table className="table">
        <thead>
          <tr>
            <th scope="col">Round</th>
            <th scope="col">Sent back</th>
            <th scope="col">Instruction</th>
            <th scope="col">Read</th>
          </tr>
        </thead>
        <tbody>
          {rounds.map((round, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rounds are only added.
            <tr key={at}>
              <td>{at + 1}</td>
              <td>
                {round.fromStageId} → {round.toStageId}{" "}
                <span className="quiet">
                  ({round.timesTaken} of {round.maxTimes})
                </span>
              </td>
              <td className="wrap">
                <VisibleText text={round.reason} isProse />
              </td>
              <td className="wrap quiet">{describeValues(round).join(", ")}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function msOf({ at }: EdgeDecision): number {
  return at ? timestampDate(at).getTime() : 0;
}
