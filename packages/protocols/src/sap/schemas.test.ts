import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { describe, expect, it } from "vitest";
import { exampleTask, resultOfTheText, taskOfTheText } from "../../testing/sap-examples.ts";
import { sapOpenApi, sapSchemas } from "./index.ts";

const committed = (file: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../schemas/sap/${file}`, import.meta.url), "utf8"));

function compile(name: string) {
  const ajv = new Ajv2020({ allErrors: true });
  addFormats.default(ajv);
  return ajv.compile(committed(`${name}.schema.json`) as object);
}

describe("the JSON Schemas of governed tasks", () => {
  it("[SAP-01] are committed as the objects are", () => {
    for (const [name, schema] of sapSchemas()) expect(committed(`${name}.schema.json`)).toEqual(schema);
    expect(committed("openapi.json")).toEqual(sapOpenApi());
  });

  it("[SAP-01] take the examples of the text, and name what the Task lacks", () => {
    const isTask = compile("Task");
    expect(isTask(exampleTask({ "x-more": 1 }))).toBe(true);
    expect(isTask(taskOfTheText)).toBe(false);
    expect(isTask.errors).toMatchObject([
      { instancePath: "/constitutionalContext", params: { missingProperty: "pressureLevel" } },
    ]);
    expect(compile("Result")(resultOfTheText)).toBe(true);
  });

  it.each([
    { taskId: "7fbb32b6-0d2c-4c1a-cb75-2a4b3b0b6c0a" },
    { issuedAt: "2025-09-28T10:15:23.5Z" },
    { issuer: { agentId: "a", agentKind: "robot" } },
    { constitutionalContext: { pressureLevel: "instant", pressure: { a: 101 } } },
  ])("[SAP-01] refuse %j", (change) => {
    expect(compile("Task")(exampleTask(change))).toBe(false);
  });
});

describe("the OpenAPI document", () => {
  it("[SAP-01] refers to schemas that it has, and uses all of its paths' ids once", () => {
    const document = sapOpenApi() as {
      readonly components: { readonly schemas: object };
      readonly paths: Record<string, Record<string, { operationId: string }>>;
    };
    const text = JSON.stringify(document);
    const names = [...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name ?? "");
    expect(names.length).toBeGreaterThan(10);
    for (const name of names) expect(document.components.schemas).toHaveProperty(name);
    expect(text).not.toContain("#/$defs/");
    const ids = Object.values(document.paths).flatMap((item) =>
      Object.values(item).map(({ operationId }) => operationId),
    );
    expect(new Set(ids).size).toBe(6);
  });
});
