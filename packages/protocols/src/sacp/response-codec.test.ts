import { StructuredResponseSchema, validate } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { expect, it } from "vitest";
import { readResponse } from "./read-response.ts";
import { allStatuses, fallbackResponse, type SacpResponse } from "./response.ts";
import { responseFromContract, responseToContract } from "./response-codec.ts";

it.each(allStatuses)("[SAC-01] a response with %s is the same in the contract and back", (status) => {
  const response: SacpResponse = { thought: "t", status, data: { n: [1, null, { a: "b" }] }, message: "m" };
  for (const one of [response, { ...response, next_step_hint: "go on" }]) {
    const message = responseToContract(one);
    expect(validate(StructuredResponseSchema, message)).toEqual([]);
    expect(responseFromContract(message)).toEqual(one);
  }
});

it("[SAC-04] the fallback of any text has room in the contract", () => {
  for (const text of ["", "no answer", "half a pair: \ud83d", "a zero: \0"]) {
    const { response } = readResponse(text);
    expect(response).toEqual(fallbackResponse(text.toWellFormed()));
    expect(validate(StructuredResponseSchema, responseToContract(response))).toEqual([]);
  }
});

it("[SAC-01] a status that the contract leaves open is no response", () => {
  expect(() => responseFromContract(create(StructuredResponseSchema))).toThrow("status");
});
