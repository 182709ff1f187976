import type { DescFile, DescService } from "@bufbuild/protobuf";
import { Code, type ServiceImpl } from "@connectrpc/connect";
import {
  type ServerReflectionRequest,
  ServerReflection as V1,
} from "../../gen/grpc/reflection/v1/reflection_pb.js";
import {
  type ServerReflectionRequest as AlphaRequest,
  ServerReflection as V1Alpha,
} from "../../gen/grpc/reflection/v1alpha/reflection_pb.js";
import { bidiStream, type MethodOptions } from "./answer.ts";
import { DescribedFiles, serialise } from "./described-files.ts";

type Question = ServerReflectionRequest["messageRequest"] | AlphaRequest["messageRequest"];
/** The same in both versions. */
type Answer =
  | { case: "listServicesResponse"; value: { service: { name: string }[] } }
  | { case: "fileDescriptorResponse"; value: { fileDescriptorProto: Uint8Array[] } }
  | { case: "allExtensionNumbersResponse"; value: { baseTypeName: string; extensionNumber: number[] } }
  | { case: "errorResponse"; value: { errorCode: Code; errorMessage: string } };

/** gRPC reflection for grpcurl and buf (TRN-05), in both versions of the protocol. */
export function reflectionServices(
  options: MethodOptions,
  services: readonly DescService[],
): { readonly v1: ServiceImpl<typeof V1>; readonly v1alpha: ServiceImpl<typeof V1Alpha> } {
  const names = services.map(({ typeName }) => typeName).sort();
  const files = new DescribedFiles(services.map(({ file }) => file));
  async function* answerAll<Request extends { host: string; messageRequest: Question }>(
    requests: AsyncIterable<Request>,
  ) {
    for await (const request of requests) {
      const messageResponse = answer(request.messageRequest, files, names);
      yield { validHost: request.host, originalRequest: request, messageResponse };
    }
  }
  return {
    v1: {
      serverReflectionInfo: bidiStream(options, V1.method.serverReflectionInfo, (_, requests) =>
        answerAll(requests),
      ),
    },
    v1alpha: {
      serverReflectionInfo: bidiStream(options, V1Alpha.method.serverReflectionInfo, (_, requests) =>
        answerAll(requests),
      ),
    },
  };
}

function answer(question: Question, files: DescribedFiles, names: readonly string[]): Answer {
  switch (question.case) {
    case "listServices":
      return { case: "listServicesResponse", value: { service: names.map((name) => ({ name })) } };
    case "fileByFilename":
      return fileAnswer(files.byName(question.value));
    case "fileContainingSymbol":
      return fileAnswer(files.bySymbol(question.value));
    case "fileContainingExtension":
      return fileAnswer(files.byExtension(question.value.containingType, question.value.extensionNumber));
    case "allExtensionNumbersOfType": {
      const numbers = files.extensionNumbers(question.value);
      if (numbers === undefined) return notFound;
      const value = { baseTypeName: question.value, extensionNumber: [...numbers] };
      return { case: "allExtensionNumbersResponse", value };
    }
    default:
      return failure(Code.InvalidArgument, "the request is empty");
  }
}

function fileAnswer(file: DescFile | undefined): Answer {
  if (file === undefined) return notFound;
  return { case: "fileDescriptorResponse", value: { fileDescriptorProto: serialise(file) } };
}

const notFound = failure(Code.NotFound, "not found");

function failure(errorCode: Code, errorMessage: string): Answer {
  return { case: "errorResponse", value: { errorCode, errorMessage } };
}
