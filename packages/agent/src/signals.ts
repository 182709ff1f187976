/** Calls `close` at the first SIGTERM or SIGINT. Returns a function that stops listening. */
export function onSignals(close: () => void): () => void {
  const names = ["SIGTERM", "SIGINT"] as const;
  const stop = () => {
    for (const name of names) process.off(name, heard);
  };
  // Listening stops first: who signals twice does not want to wait.
  const heard = () => {
    stop();
    close();
  };
  for (const name of names) process.on(name, heard);
  return stop;
}
