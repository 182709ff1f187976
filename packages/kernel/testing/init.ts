import type { DescMessage, MessageInitShape } from "@bufbuild/protobuf";

/** The plain fields of a message, without its type, to be spread over others. */
export type Init<Desc extends DescMessage> = Extract<MessageInitShape<Desc>, { readonly $typeName?: never }>;
