import { InspectionService, KnowledgeService, OrchestratorService, RegistryService } from "@baton/contract";
import { RedactionFailure } from "@baton/kernel";
import type { DescMessage, Message } from "@bufbuild/protobuf";
import type { Caller } from "../ports/caller.ts";
import { HubError } from "../ports/hub-error.ts";
import type { EgressFilter } from "../redaction/egress-filter.ts";
import { fitAnswer } from "./fit-answer.ts";
import type { FilteredCalls } from "./hub.ts";

/**
 * Steps return to the work that made them as they were reported. The audit record leaves as it was chained: it was redacted before, and its hashes cover every byte. Streams redact where
 * their messages are created.
 */
const services = [OrchestratorService, RegistryService, InspectionService, KnowledgeService] as const;

type AnyCall = (caller: Caller, request: never) => Promise<Message>;

/** Redacts every response, so that no call of these services can bypass the filter. */
export function redactCalls(calls: FilteredCalls, filter: EgressFilter): FilteredCalls {
  const redactor = filter.at("answer");
  const filtered = (schema: DescMessage, call: AnyCall): AnyCall => {
    return async (caller, request) => {
      const answer = await call(caller, request);
      try {
        // Omitted parts need no redaction; fitted again, because redaction may lengthen texts.
        return fitAnswer(redactor.redactMessage(schema, fitAnswer(answer)).message);
      } catch (error) {
        throw error instanceof RedactionFailure ? withheld(error) : error;
      }
    };
  };
  const methods = services.flatMap((service) => service.methods);
  return Object.fromEntries(
    methods
      .filter(({ methodKind, localName }) => methodKind === "unary" && localName !== "listSteps")
      .map(({ localName, output }) => [
        localName,
        filtered(output, calls[localName as keyof FilteredCalls] as AnyCall),
      ]),
  ) as unknown as FilteredCalls;
}

/** The call may have succeeded; only its response is withheld. */
function withheld({ code, message }: RedactionFailure): HubError {
  return new HubError("internal", code, `the response is withheld: ${message}`, {
    fix: "ask the hub's operator to check its log; the call may have succeeded",
  });
}
