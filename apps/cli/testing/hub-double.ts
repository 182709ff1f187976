import { createServer, type Http2Server, type Http2Session } from "node:http2";
import {
  AuditService,
  InspectionService,
  KnowledgeService,
  OrchestratorService,
  RegistryService,
} from "@baton/contract";
import { lastingPort } from "@baton/contract/testing/lasting-port";
import type { ServiceImpl } from "@connectrpc/connect";
import { connectNodeAdapter } from "@connectrpc/connect-node";

export interface HubDouble extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** Authorization headers, in the order in which calls came. */
  readonly keys: readonly (string | undefined)[];
  /** Ends every connection, as a hub does that dies; the address stays taken by it. */
  breakConnections(): void;
}

export interface Answers {
  readonly orchestrator?: Partial<ServiceImpl<typeof OrchestratorService>>;
  readonly registry?: Partial<ServiceImpl<typeof RegistryService>>;
  readonly audit?: Partial<ServiceImpl<typeof AuditService>>;
  readonly inspection?: Partial<ServiceImpl<typeof InspectionService>>;
  readonly knowledge?: Partial<ServiceImpl<typeof KnowledgeService>>;
}

/** A hub with the given answers, over real gRPC on a port of its own. */
export async function startHub(
  { orchestrator = {}, registry = {}, audit = {}, inspection = {}, knowledge = {} }: Answers,
  atPort?: number,
): Promise<HubDouble> {
  const sessions = new Set<Http2Session>();
  const keys: (string | undefined)[] = [];
  const serve = connectNodeAdapter({
    routes: (router) => {
      router.service(OrchestratorService, orchestrator);
      router.service(RegistryService, registry);
      router.service(AuditService, audit);
      router.service(InspectionService, inspection);
      router.service(KnowledgeService, knowledge);
    },
  });
  const server: Http2Server = createServer((request, response) => {
    keys.push(request.headers.authorization);
    serve(request, response);
  });
  server.on("session", (session) => {
    sessions.add(session);
    session.on("close", () => sessions.delete(session));
    session.on("error", () => {});
  });
  const port = atPort ?? (await lastingPort());
  await new Promise<void>((ready) => server.listen(port, "127.0.0.1", ready));
  const breakConnections = () => {
    for (const session of sessions) session.destroy();
  };
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    keys,
    breakConnections,
    async [Symbol.asyncDispose]() {
      const closed = new Promise<void>((done) => server.close(() => done()));
      breakConnections();
      await closed;
    },
  };
}
