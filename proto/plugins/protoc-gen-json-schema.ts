/** Writes one JSON Schema per message of the contract (CON-07). */
import { nestedTypes } from "@bufbuild/protobuf/reflect";
import { schemaDocument } from "./json-schema/document.ts";
import { runPlugin } from "./plugin.ts";

runPlugin("protoc-gen-json-schema", (files) =>
  files
    .flatMap((file) => [...nestedTypes(file)])
    .filter((type) => type.kind === "message")
    .map((message) => ({
      name: `${message.typeName.slice(message.file.proto.package.length + 1)}.schema.json`,
      content: `${JSON.stringify(schemaDocument(message), null, 2)}\n`,
    })),
);
