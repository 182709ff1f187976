import { connect } from "node:http2";
import { Health } from "../../gen/grpc/health/v1/health_pb.js";
import type { Address } from "./listen.ts";

const timeoutMs = 1_000;

/** Whether a hub listens at an address: asks for readiness over HTTP, or for health over gRPC. */
export function isHub({ host, port }: Address, what: string): Promise<boolean> {
  const origin = `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
  return (what === "HTTP" ? hasReadiness(origin) : hasHealth(origin)).catch(() => false);
}

async function hasReadiness(origin: string): Promise<boolean> {
  const answer = await fetch(`${origin}/readyz`, {
    redirect: "error",
    signal: AbortSignal.timeout(timeoutMs),
  });
  const { status } = (await answer.json()) as { readonly status?: unknown };
  return status === "ready" || status === "not ready";
}

/** In JSON, which other gRPC servers do not accept. */
function hasHealth(origin: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const session = connect(origin);
    const end = (error?: Error) => {
      session.destroy();
      if (error) reject(error);
    };
    session.on("error", end);
    session.setTimeout(timeoutMs, () => end(new Error("no answer")));
    const stream = session.request({
      ":method": "POST",
      ":path": `/${Health.typeName}/Check`,
      "content-type": "application/json",
    });
    let text = "";
    stream.on("error", end).setTimeout(timeoutMs, () => end(new Error("no answer")));
    stream.setEncoding("utf8").on("data", (piece: string) => {
      text += piece;
    });
    stream.on("end", () => {
      resolve(/"(NOT_)?SERVING"/.test(text));
      end();
    });
    stream.end("{}");
  });
}
