import { GuardrailDecision, StageSchema } from "@baton/contract/messages";
import { create } from "@bufbuild/protobuf";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { Guardrails } from "./guardrails.tsx";

it("[SAC-09] shows what guardrails decided about the last answer", () => {
  const render = (guardrails: object[]) =>
    renderToStaticMarkup(<Guardrails stage={create(StageSchema, { guardrails })} />);
  const { PASSED, BLOCKED } = GuardrailDecision;
  const reason = "contains a secret: token";
  const page = render([
    { name: "size", decision: PASSED },
    { name: "no-secrets", decision: BLOCKED, reason, path: "response.message" },
  ]);
  expect(page).toContain("<strong>size</strong> passed");
  expect(page).toContain(`<strong>no-secrets</strong> blocked the answer: ${reason} (response.message)`);
  expect(render([])).toBe("");
});
