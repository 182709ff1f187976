import { useEffect, useState } from "react";

let tell: (text: string) => void = () => {};

/** Says in passing that something is done. */
export function announce(text: string): void {
  tell(text);
}

const shownMs = 5_000;

export function Announcement() {
  const [text, setText] = useState("");
  useEffect(() => {
    tell = setText;
    return () => {
      tell = () => {};
    };
  }, []);
  useEffect(() => {
    if (text === "") return;
    const timer = setTimeout(() => setText(""), shownMs);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <div className="announcement" role="status" aria-live="polite">
      {text !== "" && <span>{text}</span>}
    </div>
  );
}
