export type Route =
  | { readonly page: "runs" }
  | { readonly page: "run"; readonly pipelineId: string }
  | { readonly page: "inbox" }
  | { readonly page: "new" }
  | { readonly page: "agents" }
  | { readonly page: "audit" }
  | { readonly page: "policies" }
  | { readonly page: "spend" }
  | { readonly page: "evals" }
  | { readonly page: "missing" };

export function routeOf(path: string): Route {
  const [first = "", second = "", ...rest] = path.split("/").filter(Boolean).map(decodePart);
  if (rest.length > 0) return { page: "missing" };
  if (first === "" || (first === "runs" && second === "")) return { page: "runs" };
  if (first === "runs" && second === "new") return { page: "new" };
  if (first === "runs") return { page: "run", pipelineId: second };
  if (first === "inbox" && second === "") return { page: "inbox" };
  if (second === "" && isPlain(first)) return { page: first };
  return { page: "missing" };
}

const plain = ["agents", "audit", "policies", "spend", "evals"] as const;

function isPlain(page: string): page is (typeof plain)[number] {
  return plain.some((one) => one === page);
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function inboxAddress(escalationId: string): string {
  return `/inbox?item=${encodeURIComponent(escalationId)}`;
}

export function packAddress(packId: string): string {
  return `/agents?pack=${encodeURIComponent(packId)}`;
}

/** The audit entries of a run. */
export function recordAddress(pipelineId: string): string {
  return `/audit?run=${encodeURIComponent(pipelineId)}`;
}

interface Attempt {
  readonly stageId: string;
  readonly attemptNumber: number;
}

export function attemptAddress(
  pipelineId: string,
  { stageId, attemptNumber }: Attempt,
  tab = "evidence",
): string {
  return `${runAddress(pipelineId, stageId)}&attempt=${attemptNumber}&tab=${tab}`;
}

export function runAddress(pipelineId: string, stageId = ""): string {
  const stage = stageId === "" ? "" : `?stage=${encodeURIComponent(stageId)}`;
  return `/runs/${encodeURIComponent(pipelineId)}${stage}`;
}
