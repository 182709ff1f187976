import { Code } from "@connectrpc/connect";

const statuses: Readonly<Partial<Record<Code, number>>> = {
  [Code.InvalidArgument]: 400,
  [Code.FailedPrecondition]: 400,
  [Code.Unauthenticated]: 401,
  [Code.PermissionDenied]: 403,
  [Code.NotFound]: 404,
  [Code.AlreadyExists]: 409,
  [Code.ResourceExhausted]: 429,
  [Code.Canceled]: 499,
  [Code.Unavailable]: 503,
  [Code.DeadlineExceeded]: 504,
};

/** The status that Connect gives to a code. */
export function httpStatusOf(code: Code): number {
  return statuses[code] ?? 500;
}
