import { type ErrorDetail, ErrorDetailSchema } from "@baton/contract";
import { RedactionFailure, type Redactor } from "@baton/kernel";
import { create, type MessageInitShape } from "@bufbuild/protobuf";

/** Redacts an error, which may quote input. Without a redacted text, only its code is returned. */
export function redactError(
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
      message: `the error text is withheld: ${message}`,
      fix: "send less, or ask the hub's operator to check its log",
    });
  }
}
