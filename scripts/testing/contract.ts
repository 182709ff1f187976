/** The smallest contract that buf builds, for the tests of the checks. */
import type { Files } from "./repository.ts";

export const contract: Files = {
  "buf.yaml": "version: v2\nmodules:\n  - path: proto\n",
  "proto/shop/v1/order.proto": orderProto("string title = 2;"),
  "packages/contract/package.json": '{ "version": "1.0.0" }',
};

/** One message, with this field besides its id. */
export function orderProto(field: string): string {
  return `syntax = "proto3";
package shop.v1;

message Order {
  string id = 1;
  ${field}
}
`;
}
