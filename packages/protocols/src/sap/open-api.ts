/** The OpenAPI 3.1 document of the HTTP transport. */
import { httpStatusOf } from "./error-model.ts";
import { sapComponents } from "./schemas.ts";
import { sapVersion } from "./task.ts";

type Json = { readonly [name: string]: unknown };

const correlation = "X-Correlation-Id";

const correlationHeader = {
  [correlation]: {
    description: "The correlationId of the task.",
    schema: { type: "string", format: "uuid" },
  },
};

const taskId = {
  name: "taskId",
  in: "path",
  required: true,
  description: "The taskId of the Task.",
  schema: { type: "string", format: "uuid" },
};

const requestCorrelation = {
  name: correlation,
  in: "header",
  description: "Refused where it differs from the correlationId of the task.",
  schema: { type: "string", format: "uuid" },
};

const traceparent = {
  name: "traceparent",
  in: "header",
  description: "W3C Trace Context; the run continues this trace.",
  schema: { type: "string" },
};

const others: Readonly<Record<number, string>> = {
  409: "INVALID_TASK: the taskId was used for another task.",
  413: "INVALID_TASK: the body is larger than 1 MiB.",
  503: "INTERNAL: the hub takes no work now.",
};

export function sapOpenApi(): Json {
  return {
    openapi: "3.1.0",
    info: {
      title: "Governed tasks (SAP V2)",
      version: sapVersion,
      description:
        "Submit a Task, read and follow its Results, cancel it, and read its transcript. " +
        "Generated from packages/protocols/src/sap by `npm run generate`; not edited by hand.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    security: [{ key: [] }],
    paths: {
      "/sap/v2/tasks": { post: submit },
      "/sap/v2/tasks/{taskId}": { get: read },
      "/sap/v2/tasks/{taskId}/events": { get: events },
      "/sap/v2/tasks/{taskId}/cancel": { post: cancel },
      "/sap/v2/tasks/{taskId}/transcript": { get: transcript },
      "/sap/v2/openapi.json": { get: document },
    },
    components: {
      schemas: sapComponents(),
      securitySchemes: {
        key: {
          type: "http",
          scheme: "bearer",
          description: "A key of the hub; a hub without keys takes none.",
        },
      },
    },
  };
}

const submit = {
  operationId: "submitTask",
  summary: "Submit a Task",
  description:
    "The same task twice is one: the second answer is an Ack as well. Other content under the same taskId is refused.",
  parameters: [requestCorrelation, traceparent],
  requestBody: { required: true, content: json("Task") },
  responses: {
    202: answer(
      "Ack",
      "The task is stored and will be processed. Without a body when replyTo.expectAck is false.",
    ),
    ...nacks(400, 401, 403, 404, 409, 413, 422, 429, 500, 503),
  },
};

const read = {
  operationId: "getResult",
  summary: "Read the Result now",
  parameters: [taskId, requestCorrelation],
  responses: { 200: answer("Result", "The Result, or the progress."), ...nacks(400, 401, 403, 404, 429) },
};

const events = {
  operationId: "followResults",
  summary: "Follow the Results as server-sent events",
  description: "Each event `result` has a Result as its data. The stream ends with the outcome.",
  parameters: [
    taskId,
    requestCorrelation,
    {
      ...{ name: "Last-Event-ID", in: "header", schema: { type: "string" } },
      description: "The id of the last event that was received; the stream continues after it.",
    },
  ],
  responses: {
    200: {
      description: "Results.",
      headers: correlationHeader,
      content: { "text/event-stream": { schema: { type: "string" } } },
    },
    ...nacks(400, 401, 403, 404, 429),
  },
};

const cancel = {
  operationId: "cancelTask",
  summary: "Cancel a Task",
  description: "A task that has ended stays as it is; the answer has its Result.",
  parameters: [taskId, requestCorrelation],
  requestBody: {
    content: {
      "application/json": {
        schema: { type: "object", properties: { reason: { type: "string", minLength: 1, maxLength: 2000 } } },
      },
    },
  },
  responses: { 200: answer("Result", "The Result after it."), ...nacks(400, 401, 403, 404, 429) },
};

const transcript = {
  operationId: "getTranscript",
  summary: "Read the Task, its Results, and their entries in the audit record",
  parameters: [taskId, requestCorrelation],
  responses: { 200: answer("Transcript", "The transcript."), ...nacks(400, 401, 403, 404, 429) },
};

const document = {
  operationId: "getOpenApi",
  summary: "Read this document",
  security: [],
  responses: {
    200: { description: "This document.", content: { "application/json": { schema: { type: "object" } } } },
  },
};

function json(name: string): Json {
  return { "application/json": { schema: { $ref: `#/components/schemas/${name}` } } };
}

function answer(name: string, description: string): Json {
  return { description, headers: correlationHeader, content: json(name) };
}

function nacks(...statuses: readonly number[]): Json {
  return Object.fromEntries(
    statuses.map((status) => {
      const codes = Object.entries(httpStatusOf).flatMap(([code, its]) => (its === status ? [code] : []));
      return [status, answer("Nack", others[status] ?? `${codes.join(", ")}.`)];
    }),
  );
}
