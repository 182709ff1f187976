import { invariant } from "../../violation.ts";
import type { Fold, Model } from "./step.ts";

/** After a stage has ended the workflow, only required stages and their dependencies start; a rewind revokes the end. */
export function checkEndedEarly({ record }: Fold, { ends, wanted }: Model): void {
  switch (record.type) {
    case "ended-early":
      ends.add(record.stage);
      break;
    case "rejected":
      for (const place of [record.target, ...record.reset]) ends.delete(place);
      break;
    case "end-withdrawn":
      invariant(
        ends.size === 0,
        "an end is withdrawn only after its stages were rewound",
        () => `of stage ${[...ends].join()}`,
      );
      break;
    case "pruned":
      invariant(
        !record.byEnd || (ends.size > 0 && wanted[record.stage] === false),
        "an end prunes only stages that are not required",
        () => `stage ${record.stage}`,
      );
      break;
    case "unblocked":
    case "dispatched":
      invariant(
        ends.size === 0 || wanted[record.stage] === true,
        "after an end only required stages start",
        () =>
          `stage ${record.stage} was ${record.type} after stage ${[...ends].join()} had ended the workflow`,
      );
  }
}
