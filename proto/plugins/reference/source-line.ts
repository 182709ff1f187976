import type { DescEnum, DescMessage, DescService } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";

const { messageType, enumType, service } = FileDescriptorProtoSchema.field;
const fieldOfKind = { message: messageType, enum: enumType, service } as const;

/** The line on which a type is declared, or on which the message around it is. */
export function lineOf(type: DescMessage | DescEnum | DescService): number {
  if (type.kind !== "service" && type.parent !== undefined) return lineOf(type.parent);
  const { file, kind } = type;
  const siblings: readonly unknown[] = { message: file.messages, enum: file.enums, service: file.services }[
    kind
  ];
  const path = [fieldOfKind[kind]?.number, siblings.indexOf(type)].join();
  const location = file.proto.sourceCodeInfo?.location.find((candidate) => candidate.path.join() === path);
  return location?.span[0] ?? 0;
}
