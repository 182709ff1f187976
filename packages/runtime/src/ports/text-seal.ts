/** Hides texts that the hub writes beside its store. */
export interface TextSeal {
  seal(text: string): string;
  /** Undefined when it is not what was sealed. */
  open(sealed: string): string | undefined;
}
