import { Code, type ServiceImpl } from "@connectrpc/connect";
import { Health, HealthCheckResponse_ServingStatus as Status } from "../../gen/grpc/health/v1/health_pb.js";
import { refuse } from "../errors/refuse.ts";
import type { Readiness } from "../readiness.ts";
import { type MethodOptions, serverStream, unary } from "./answer.ts";

/** gRPC health checks (TRN-05): of the server by the empty name, of a service by its name. */
export function healthService(
  readiness: Readiness,
  options: MethodOptions,
  serviceNames: readonly string[],
): ServiceImpl<typeof Health> {
  const known = new Set(["", ...serviceNames]);
  function statusOf(service: string): Status {
    if (!known.has(service)) return Status.SERVICE_UNKNOWN;
    return readiness.whyNot() === undefined ? Status.SERVING : Status.NOT_SERVING;
  }
  async function* watch(service: string, signal: AbortSignal) {
    let last: Status | undefined;
    while (!signal.aborted) {
      const status = statusOf(service);
      if (status !== last) yield { status };
      last = status;
      await readiness.changed(signal);
    }
  }
  return {
    check: unary(options, Health.method.check, async (_, { service }) => {
      if (known.has(service)) return { status: statusOf(service) };
      throw refuse({
        code: Code.NotFound,
        id: "BATON-SERVER-009",
        message: "unknown service",
        fix: `use one of: ${serviceNames.join(", ")}`,
      });
    }),
    watch: serverStream(options, Health.method.watch, (_, { service }, signal) => watch(service, signal)),
  };
}
