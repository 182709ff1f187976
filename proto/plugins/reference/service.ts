import type { DescMethod, DescService } from "@bufbuild/protobuf";
import { commentOf } from "../comments.ts";
import { table } from "./markdown.ts";

export function serviceSection(service: DescService): string {
  const rows = service.methods.map((method) => [`\`${method.name}\``, exchange(method), commentOf(method)]);
  return [
    `### ${service.name}`,
    `Service. ${commentOf(service)}`,
    table(["Call", "Request → response", "Meaning"], rows),
  ].join("\n\n");
}

function exchange({ methodKind, input, output }: DescMethod): string {
  const manyIn = methodKind === "client_streaming" || methodKind === "bidi_streaming";
  const manyOut = methodKind === "server_streaming" || methodKind === "bidi_streaming";
  return `${manyIn ? "stream of " : ""}[${input.name}] → ${manyOut ? "stream of " : ""}[${output.name}]`;
}
