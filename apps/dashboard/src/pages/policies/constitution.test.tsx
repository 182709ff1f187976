import { GetConstitutionResponseSchema } from "@baton/contract/messages";
import { create } from "@bufbuild/protobuf";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { ConstitutionCard } from "./constitution.tsx";

it("[SAP-04] shows how often each check fired and was overruled", () => {
  const rule = {
    principle: "No PII",
    isConstraint: true,
    severity: "high",
    check: "email",
    kind: "personal_data",
    on: "both",
  };
  const counts = { checked: 10, fired: 3, escalated: 1, overruled: 2 };
  const render = (given: object) =>
    renderToStaticMarkup(<ConstitutionCard constitution={create(GetConstitutionResponseSchema, given)} />);
  const page = render({
    digest: "c".repeat(64),
    version: "2",
    rules: [{ ...rule, ...counts }],
    decisions: 12,
  });
  expect(page).toContain("version 2, digest cccccccccccc, 12 decisions");
  expect(page).toContain("fired 3 of 10 times, failed to run 1 times, overruled 2 times");
  expect(render({})).toContain("No constitution");
});
