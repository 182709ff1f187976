import { useEffect, useRef } from "react";
import { findJsonFault } from "../../design/json-fault.ts";
import { notJson } from "../run/rerun/read-inputs.ts";
import { resolve, type Schema } from "./schema.ts";

interface JsonInputProps {
  readonly id: string;
  readonly "aria-describedby": string;
  readonly "aria-invalid": true | undefined;
  readonly schema: Schema;
  readonly text: string;
  readonly onChange: (text: string) => void;
  /** What is wrong with it, once somebody has left it or wants to send it; undefined when nothing is. */
  readonly onFault: (fault: string | undefined) => void;
}

/** A field for JSON, which is looked at before anything is sent: while it is none, the form stays where it is. */
export function JsonInput({ schema, text, onChange, onFault, ...control }: JsonInputProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const fault = faultOf(schema, text);
  useEffect(() => {
    field.current?.setCustomValidity(fault ?? "");
    // What is mended is no longer marked; what is being typed is not marked yet.
    if (fault === undefined) onFault(undefined);
  }, [fault, onFault]);
  return (
    <textarea
      {...control}
      ref={field}
      className="input mono"
      value={text}
      spellCheck={false}
      placeholder={isObject(schema) ? '{ "name": "Bob" }' : "[ ]"}
      onChange={(event) => onChange(event.target.value)}
      onBlur={() => onFault(fault)}
      onInvalid={(event) => {
        const { currentTarget } = event;
        event.preventDefault(); // What the browser would put over it is said below it.
        onFault(fault);
        openAround(currentTarget);
        currentTarget.focus();
      }}
    />
  );
}

/** What is to be seen must not be folded away. */
function openAround(field: Element): void {
  const around = field.closest("details");
  if (!around) return;
  around.open = true;
  if (around.parentElement) openAround(around.parentElement);
}

function faultOf(schema: Schema, text: string): string | undefined {
  if (text.trim() === "") return undefined;
  const fault = findJsonFault(text);
  if (fault) return notJson(fault.line, fault.column);
  const isFitting = !isObject(schema) || text.trim().startsWith("{");
  return isFitting ? undefined : 'Write an object, such as { "name": "Bob" }.';
}

function isObject(schema: Schema): boolean {
  return resolve(schema).type === "object";
}
