import type { DescMessage, MessageInitShape } from "@bufbuild/protobuf";

/** The plain fields of a message, to be laid over others; not a message itself, which would bring its type along. */
export type Init<Desc extends DescMessage> = Extract<MessageInitShape<Desc>, { readonly $typeName?: never }>;
