export { judgeSchemaVersion, type SchemaVersionVerdict } from "./dispatch/schema-version.ts";
