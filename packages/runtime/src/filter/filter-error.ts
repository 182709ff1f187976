import { type ErrorDetail, ErrorDetailSchema } from "@baton/contract";
import { RedactionFailure, type Redactor } from "@baton/kernel";
import { create, type MessageInitShape } from "@bufbuild/protobuf";

/** What is told of an error: it may quote what somebody sent. One that cannot be redacted is told without its words. */
export function filterError(
  errors: Redactor,
  given: MessageInitShape<typeof ErrorDetailSchema>,
): ErrorDetail {
  const detail = create(ErrorDetailSchema, given);
  try {
    return errors.redactMessage(ErrorDetailSchema, detail).message;
  } catch (error) {
    if (!(error instanceof RedactionFailure)) throw error;
    const { code, message } = error;
    return create(ErrorDetailSchema, {
      code,
      message: `what is wrong is withheld: ${message}`,
      fix: "send less, or ask whoever runs the hub to look into its log",
    });
  }
}
