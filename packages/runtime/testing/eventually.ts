/** Ends a test that would wait for ever; it measures nothing. */
const patienceMs = 300_000;

/** Characters of the actual value in the error. */
const maxCharacters = 4_000;

/** The value, or an error with what was expected and the actual state. */
export async function settles<Value>(
  promise: Promise<Value>,
  what: string,
  seen: () => unknown = () => "nothing",
): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<never>((_, reject) => {
    timer = setTimeout(async () => {
      const found = await Promise.resolve().then(seen).catch(String);
      reject(new Error(`waited for ${what}; saw ${show(found).slice(0, maxCharacters)}`));
    }, patienceMs);
  });
  try {
    return await Promise.race([promise, tooLong]);
  } finally {
    clearTimeout(timer);
  }
}

/** Polls until there is a value, for changes without a notification. */
export async function eventually<Value>(
  what: string,
  look: () => Value | undefined | false | Promise<Value | undefined | false>,
  seen?: () => unknown,
): Promise<Value> {
  let over = false;
  const looking = async () => {
    for (;;) {
      const found = await look();
      if (found !== undefined && found !== false) return found;
      if (over) throw new Error(`nobody waits for ${what} any more`);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  };
  const found = looking();
  found.catch(() => {});
  try {
    return await settles(found, what, seen);
  } finally {
    over = true;
  }
}

/** Runs everything that is ready, for tests that something does not happen. */
export async function calm(turns = 20): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
}

function show(seen: unknown): string {
  return JSON.stringify(seen, (_, value) => (typeof value === "bigint" ? `${value}` : value)) ?? String(seen);
}
