import type { ComponentProps, MouseEvent } from "react";
import { navigate } from "./location.ts";

/** A link within the page. Modified clicks keep their browser behaviour, such as a new tab. */
export function Link({ href, onClick, ...rest }: ComponentProps<"a"> & { readonly href: string }) {
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    navigate(href);
  };
  return <a href={href} onClick={follow} {...rest} />;
}
