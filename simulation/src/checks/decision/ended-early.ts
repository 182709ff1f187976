import { demand } from "../../violation.ts";
import type { Fold, Memory } from "./step.ts";

/** Once a stage has ended the workflow, nothing begins that is not required or needed for it; a rewind takes it back. */
export function checkEndedEarly({ record }: Fold, { ends, wanted }: Memory): void {
  switch (record.type) {
    case "ended-early":
      ends.add(record.stage);
      break;
    case "rejected":
      for (const place of [record.target, ...record.reset]) ends.delete(place);
      break;
    case "end-withdrawn":
      demand(ends.size === 0, "an end that stands is not taken back", () => `of stage ${[...ends].join()}`);
      break;
    case "pruned":
      demand(
        !record.byEnd || (ends.size > 0 && wanted[record.stage] === false),
        "only an end leaves out what could run, and nothing that is required",
        () => `stage ${record.stage}`,
      );
      break;
    case "unblocked":
    case "dispatched":
      demand(
        ends.size === 0 || wanted[record.stage] === true,
        "nothing begins after the end that is not required",
        () => `stage ${record.stage} was ${record.type} after stage ${[...ends].join()} had ended it`,
      );
  }
}
