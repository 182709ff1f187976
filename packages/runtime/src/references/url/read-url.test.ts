import { execFile } from "node:child_process";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import { createServer as createSecureServer } from "node:https";
import {
  type AddressInfo,
  connect,
  createServer as createTcpServer,
  type Server,
  type Socket,
} from "node:net";
import { promisify } from "node:util";
import { RefSchema, RefType } from "@baton/contract";
import { create } from "@bufbuild/protobuf";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { certificateFor } from "../../../testing/certificate.ts";
import { settles } from "../../../testing/eventually.ts";
import type { ReferenceLimits } from "../limits.ts";
import { referenceReader } from "../reference-reader.ts";
import type { UrlReaderOptions } from "./read-url.ts";

const sha256OfHello = "sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";

async function portOf(server: Server): Promise<number> {
  const open = new Set<Socket>();
  server.on("connection", (socket) => open.add(socket.on("close", () => open.delete(socket))));
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** A real server on the loopback. */
const serve = (answer: RequestListener) => portOf(createServer(answer));
const hello: RequestListener = (_, response) => void response.end("hello");

interface Given extends UrlReaderOptions {
  readonly limits?: Partial<ReferenceLimits>;
}

/** The result of a URL, by default at a hub that may read servers of this machine. */
async function read(url: string, { hosts = ["127.0.0.1"], ...options }: Given = {}) {
  const reader = referenceReader({ folders: [], hosts, ...options });
  const refs = [create(RefSchema, { uriOrLocator: url, refType: RefType.URL })];
  const job = { tenantId: "acme", refs };
  const [outcome] = await settles(reader.read(job, new AbortController().signal), `an answer of ${url}`);
  return outcome?.ok ? { digest: outcome.digest, version: outcome.versionOrSha } : outcome?.reason;
}

const notPublic = "only public hosts on the default port and hosts of references.hosts are read";

describe("a document on the web", () => {
  it("[DIS-11] is read and digested; its version is what the server calls it", async () => {
    const port = await serve((_, response) => {
      response.setHeader("etag", '"v7"').setHeader("last-modified", "Sun, 01 Nov 2026 00:00:00 GMT");
      response.end("hello");
    });
    const expected = { digest: sha256OfHello, version: '"v7"' };
    expect(await read(`http://127.0.0.1:${port}/it?a=b#part`)).toEqual(expected);
  });

  it("[DIS-11] has the time of its last change as its version when it has no other, else none", async () => {
    const changed = "Sun, 01 Nov 2026 00:00:00 GMT";
    const dated = await serve(
      (_, response) => void response.setHeader("last-modified", changed).end("hello"),
    );
    expect(await read(`http://127.0.0.1:${dated}/`)).toEqual({ digest: sha256OfHello, version: changed });
    const plain = await serve(hello);
    expect(await read(`http://127.0.0.1:${plain}/`)).toEqual({ digest: sha256OfHello, version: "" });
  });

  it("[DIS-11] is asked for with nothing but the address", async () => {
    let seen: IncomingMessage["headers"] | undefined;
    let path: string | undefined;
    const port = await serve((request, response) => {
      ({ headers: seen, url: path } = request);
      response.end("hello");
    });
    await read(`http://127.0.0.1:${port}/a%20b?c=d#e`);
    expect(path).toBe("/a%20b?c=d");
    expect(seen).toEqual({
      ...{ accept: "*/*", "accept-encoding": "identity", connection: "close" },
      host: `127.0.0.1:${port}`,
    });
  });

  it("[DIS-11] on this machine is not read unless the operator names it", async () => {
    let asked = 0;
    const port = await serve((request, response) => {
      asked++;
      hello(request, response);
    });
    for (const host of ["127.0.0.1", "localhost", "2130706433", "0x7f.1", "[::ffff:127.0.0.1]"])
      expect(await read(`http://${host}:${port}/`, { hosts: [] })).toBe(notPublic);
    expect(asked).toBe(0);
  });

  it.each([301, 302, 303, 307, 308])("[DIS-11] is followed when it is elsewhere (%i)", async (status) => {
    const port = await serve((request, response) => {
      if (request.url === "/new") response.end("hello");
      else response.writeHead(status, { location: "/new" }).end();
    });
    expect(await read(`http://127.0.0.1:${port}/old`)).toMatchObject({ digest: sha256OfHello });
  });

  it.each([
    ["this machine", (port: number) => `http://127.0.0.1:${port}/`],
    ["this machine as one number", (port: number) => `http://2130706433:${port}/`],
    ["a name of this machine", (port: number) => `http://inside.example:${port}/`],
    ["this machine in IPv6", (port: number) => `http://[::1]:${port}/`],
    ["a private host without a scheme", (port: number) => `//127.1:${port}/`],
    ["where clouds keep credentials", () => "http://169.254.169.254/latest/meta-data/"],
  ])("[DIS-11] is not followed from a host that is allowed to %s", async (_, location) => {
    let asked = 0;
    const inside = await serve((request, response) => {
      asked++;
      hello(request, response);
    });
    const port = await serve(
      (_, response) => void response.writeHead(302, { location: location(inside) }).end(),
    );
    const options = { hosts: ["allowed.example"], resolve: async () => ["127.0.0.1"] };
    expect(await read(`http://allowed.example:${port}/`, options)).toBe(notPublic);
    expect(asked).toBe(0);
  });

  it.each([
    ["file:///etc/passwd", "only http and https are read"],
    ["http://user:secret@127.0.0.1/", "the address contains credentials"],
    ["http://", "it is not a URL"],
  ])("[DIS-11] is not followed to %s", async (location, reason) => {
    const port = await serve((_, response) => void response.writeHead(302, { location }).end());
    expect(await read(`http://127.0.0.1:${port}/`)).toBe(reason);
  });

  it("[DIS-11] is followed so often and no more", async () => {
    let asked = 0;
    const port = await serve((_, response) => {
      asked++;
      response.writeHead(302, { location: `/${asked}` }).end();
    });
    const url = `http://127.0.0.1:${port}/`;
    expect(await read(url, { limits: { redirects: 3 } })).toBe("it redirects more than 3 times");
    expect(asked).toBe(4);
  });

  it("[DIS-11] is read from the address that was checked, whatever its name means a moment later", async () => {
    const port = await serve(hello);
    const answers = [["127.0.0.1"], ["10.0.0.1"]];
    const resolve = vi.fn(async () => answers.shift() ?? []);
    const url = `http://rebound.example:${port}/`;
    expect(await read(url, { resolve })).toMatchObject({ digest: sha256OfHello });
    expect(resolve).toHaveBeenCalledTimes(1);
    expect(await read(url, { resolve })).toBe(notPublic);
  });

  it("[DIS-11] whose name means something else when it points back to itself is checked again", async () => {
    const answers = [["127.0.0.1"], ["10.0.0.1"]];
    const resolve = async () => answers.shift() ?? [];
    const port = await serve((_, response) => void response.writeHead(302, { location: "/again" }).end());
    expect(await read(`http://rebound.example:${port}/`, { resolve })).toBe(notPublic);
  });

  it("[DIS-11] is read from the next address when the first does not answer", async () => {
    const port = await serve(hello);
    const options = { hosts: ["127.0.0.1", "::1"], resolve: async () => ["::1", "127.0.0.1"] };
    expect(await read(`http://two.example:${port}/`, options)).toMatchObject({ digest: sha256OfHello });
  });
});

describe("a proxy that the environment names", () => {
  it("[DIS-11] is not asked: it would choose the address", async () => {
    let asked = 0;
    const proxy = await serve((_, response) => {
      asked++;
      response.end("proxy");
    });
    const port = await serve(hello);
    const program = `
      import { referenceReader } from "@baton/runtime";
      const refs = [{ uriOrLocator: "http://127.0.0.1:${port}/", versionOrSha: "", digest: "", refType: 4 }];
      const reader = referenceReader({ hosts: ["127.0.0.1"] });
      const [outcome] = await reader.read({ tenantId: "acme", refs }, new AbortController().signal);
      console.log(outcome.digest);`;
    const named = { http_proxy: `http://127.0.0.1:${proxy}`, HTTP_PROXY: `http://127.0.0.1:${proxy}` };
    const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", program], {
      cwd: import.meta.dirname,
      env: { ...process.env, ...named, NODE_USE_ENV_PROXY: "1", NO_PROXY: "", no_proxy: "" },
    });
    expect([stdout.trim(), asked]).toEqual([sha256OfHello, 0]);
  });
});

describe("a server that answers wrongly", () => {
  it.each([204, 206, 304, 401, 404, 500])("[DIS-11] with %i is reported", async (status) => {
    const port = await serve((_, response) => void response.writeHead(status).end());
    expect(await read(`http://127.0.0.1:${port}/`)).toBe(`its server answers ${status}`);
  });

  it("[DIS-11] with more than is read is left, whether it says so or not", async () => {
    const tooLarge = "it has more than 4 bytes";
    const announced = await serve(hello);
    expect(await read(`http://127.0.0.1:${announced}/`, { limits: { urlBytes: 4 } })).toBe(tooLarge);
    const chunked = await serve((_, response) => {
      response.write("hel");
      response.write("lo");
    });
    expect(await read(`http://127.0.0.1:${chunked}/`, { limits: { urlBytes: 4 } })).toBe(tooLarge);
  });

  it("[DIS-11] with more headers than are read is left", async () => {
    const port = await serve((_, response) => void response.setHeader("x", "y".repeat(5_000)).end("hello"));
    const reason = "it could not be read: HPE_HEADER_OVERFLOW";
    expect(await read(`http://127.0.0.1:${port}/`, { limits: { headerBytes: 4_096 } })).toBe(reason);
  });

  it("[DIS-11] with packed content is reported: the compressed form is not the document", async () => {
    const port = await serve((_, response) => void response.setHeader("content-encoding", "gzip").end("x"));
    expect(await read(`http://127.0.0.1:${port}/`)).toBe(
      "its server compresses although identity was requested",
    );
  });

  it("[DIS-11] with less content than announced is reported", async () => {
    const port = await serve((_, response) => {
      response.writeHead(200, { "content-length": "10" });
      response.write("hello");
      setImmediate(() => response.destroy());
    });
    expect(await read(`http://127.0.0.1:${port}/`)).toBe("it could not be read: ECONNRESET");
  });

  it.each([
    ["nothing at all", ""],
    ["a beginning", "HTTP/1.1 200 OK\r\n"],
    ["headers and a drop now and then", "HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nh"],
    ["that it will answer, for ever", "HTTP/1.1 102 Processing\r\n\r\n"],
  ])("[DIS-11] with %s has its time and no more", async (_, words) => {
    const port = await portOf(createTcpServer((socket) => void socket.on("error", () => {}).write(words)));
    const reason = await read(`http://127.0.0.1:${port}/`, { limits: { timeoutMs: 100 } });
    expect(reason).toMatch(/^it was not read within 0\.\d+ s$/);
  });

  it.each([
    ["what is no HTTP", "what?\r\n\r\n", /^it could not be read: HPE_/],
    [
      "another protocol",
      "HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n",
      /^its server requests another/,
    ],
    ["the end", "", /^it could not be read: ECONNRESET$/],
  ])("[DIS-11] with %s is reported", async (_, words, reason) => {
    const port = await portOf(
      createTcpServer((socket) => void socket.on("error", () => {}).once("data", () => socket.end(words))),
    );
    expect(await read(`http://127.0.0.1:${port}/`)).toMatch(reason);
  });

  it("[DIS-11] or no response is reported", async () => {
    const closed = createServer(hello);
    const port = await portOf(closed);
    await new Promise((done) => closed.close(done));
    expect(await read(`http://127.0.0.1:${port}/`)).toBe("it could not be read: ECONNREFUSED");
  });

  it("[DIS-11] and stalls when its name is asked for has its time and no more", async () => {
    const resolve = () => new Promise<never>(() => {});
    const reason = await read("http://slow.example/", { resolve, limits: { timeoutMs: 50 } });
    expect(reason).toBe("it was not read within 0.05 s");
  });
});

describe("a server that speaks TLS", () => {
  const { key, cert } = certificateFor(["docs.example"]);
  const resolve = async () => ["127.0.0.1"];

  it("[DIS-11] is believed by the name in the URL, at the address that was checked", async () => {
    let name: string | false | null | undefined;
    const server = createSecureServer({ key, cert }, hello);
    server.on("secureConnection", ({ servername }) => {
      name = servername;
    });
    const port = await portOf(server);
    const options = { resolve, trust: cert };
    expect(await read(`https://docs.example:${port}/`, options)).toMatchObject({ digest: sha256OfHello });
    expect(name).toBe("docs.example");
    expect(await read(`https://other.example:${port}/`, options)).toBe(
      "it could not be read: ERR_TLS_CERT_ALTNAME_INVALID",
    );
    expect(await read(`https://127.0.0.1:${port}/`, options)).toBe(
      "it could not be read: ERR_TLS_CERT_ALTNAME_INVALID",
    );
  });

  it("[DIS-11] is asked at its next address when it does not answer at the first", async () => {
    const secure = await portOf(createSecureServer({ key, cert }, hello));
    let connections = 0;
    const port = await portOf(
      createTcpServer((socket) => {
        socket.on("error", () => {});
        if (++connections > 1) socket.pipe(connect(secure, "127.0.0.1")).pipe(socket);
      }),
    );
    const twice = async () => ["127.0.0.1", "127.0.0.1"];
    const options = { resolve: twice, trust: cert, limits: { connectMs: 500 } };
    expect(await read(`https://docs.example:${port}/`, options)).toMatchObject({ digest: sha256OfHello });
    expect(connections).toBe(2);
  });

  it("[DIS-11] and unreachable is reported", async () => {
    const port = await portOf(createTcpServer((socket) => void socket.on("error", () => {})));
    const options = { resolve, trust: cert, limits: { connectMs: 50 } };
    expect(await read(`https://docs.example:${port}/`, options)).toBe("no address of its host answers");
  });

  it("[DIS-11] is not believed when nobody vouches for it", async () => {
    const port = await portOf(createSecureServer({ key, cert }, hello));
    expect(await read(`https://docs.example:${port}/`, { resolve })).toMatch(
      /^it could not be read: [A-Z_]*SELF_SIGNED/,
    );
  });

  it("[DIS-11] does not lead to one that does not", async () => {
    const plain = await serve(hello);
    const location = `http://docs.example:${plain}/`;
    const answer: RequestListener = (_, response) => void response.writeHead(302, { location }).end();
    const port = await portOf(createSecureServer({ key, cert }, answer));
    const reason = await read(`https://docs.example:${port}/`, { resolve, trust: cert });
    expect(reason).toBe("it redirects from https to http");
  });
});
