/** The codes of errors (U §8), and how HTTP carries them. */
export const sapErrorCodes = [
  ...(["INVALID_TASK", "UNAUTHORIZED", "FORBIDDEN", "NOT_FOUND", "UNPROCESSABLE", "TIMEOUT"] as const),
  ...(["RATE_LIMIT", "INTERNAL", "CACHE_MISS", "NON_CONSTITUTIONAL"] as const),
] as const;
export type SapErrorCode = (typeof sapErrorCodes)[number];

/** The HTTP status of a Nack with this code. */
export const httpStatusOf: Readonly<Record<SapErrorCode, number>> = {
  INVALID_TASK: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  UNPROCESSABLE: 422,
  TIMEOUT: 422,
  RATE_LIMIT: 429,
  INTERNAL: 500,
  CACHE_MISS: 422,
  NON_CONSTITUTIONAL: 422,
};
