/** Text as a program wrote it. It may scroll, so the keyboard can reach it. */
export function Code({ children }: { readonly children: string }) {
  return (
    <pre className="code" tabIndex={0}>
      {children}
    </pre>
  );
}
