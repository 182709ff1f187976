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
  /** Reports the fault when the field loses the focus or the form is submitted; undefined when it is fixed. */
  readonly onFault: (fault: string | undefined) => void;
}

/** A JSON field. Invalid JSON blocks the form. */
export function JsonInput({ schema, text, onChange, onFault, ...control }: JsonInputProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const fault = faultOf(schema, text);
  useEffect(() => {
    field.current?.setCustomValidity(fault ?? "");
    // A fixed fault is cleared at once. A new one is not reported while typing.
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
        event.preventDefault(); // The fault is displayed below the field, not in the tooltip of the browser.
        onFault(fault);
        openAround(currentTarget);
        currentTarget.focus();
      }}
    />
  );
}

/** Opens the sections around a field. */
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
  return isFitting ? undefined : 'Enter an object, such as { "name": "Bob" }.';
}

function isObject(schema: Schema): boolean {
  return resolve(schema).type === "object";
}
