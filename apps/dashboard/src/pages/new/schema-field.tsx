import { useId } from "react";
import { kindOf, namesOf, resolve, type Schema } from "./schema.ts";

export type FormValue = string | number | boolean | readonly string[] | FormValues | undefined;
export interface FormValues {
  readonly [name: string]: FormValue;
}

interface FieldProps {
  readonly name: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
  readonly value: FormValue;
  readonly onChange: (value: FormValue) => void;
  /** What the hub said is wrong, by the path of the field. */
  readonly wrong: ReadonlyMap<string, string>;
  readonly path: string;
}

/** A field of the form, by what its schema says it holds. */
export function SchemaField(props: FieldProps) {
  const { name, schema, isRequired, value, onChange, wrong, path } = props;
  const id = useId();
  const kind = kindOf(schema);
  if (kind === "parts") return <SchemaParts {...props} />;
  const problem = wrong.get(path);
  const control = {
    id,
    "aria-describedby": `${id}-help`,
    "aria-invalid": problem !== undefined || undefined,
  };
  const text = typeof value === "string" || typeof value === "number" ? String(value) : "";
  return (
    <div className="field">
      <label htmlFor={id}>
        {titleOf(name)}
        {isRequired && <span className="quiet"> (needed)</span>}
      </label>
      {kind === "texts" && (
        <textarea
          {...control}
          className="input"
          required={isRequired}
          value={Array.isArray(value) ? value.join("\n") : ""}
          placeholder="one a line"
          onChange={(event) => onChange(event.target.value.split("\n"))}
        />
      )}
      {kind === "json" && (
        <textarea
          {...control}
          className="input mono"
          value={text}
          placeholder="{ }"
          onChange={(event) => onChange(event.target.value)}
        />
      )}
      {kind === "names" && (
        <select
          {...control}
          className="input"
          value={text}
          onChange={(event) => onChange(event.target.value)}
        >
          <option value="">not stated</option>
          {namesOf(resolve(schema))?.map((one) => (
            <option key={one} value={one}>
              {one.replace(/^[A-Z]+(_TIER)?_/, "").toLowerCase()}
            </option>
          ))}
        </select>
      )}
      {kind === "yes-no" && (
        <input
          {...control}
          type="checkbox"
          checked={value === true}
          onChange={(event) => onChange(event.target.checked)}
        />
      )}
      {(kind === "text" || kind === "number") && (
        <input
          {...control}
          className="input"
          type={kind === "number" ? "number" : "text"}
          min={schema.minimum}
          required={isRequired}
          value={text}
          onChange={(event) => onChange(kind === "number" ? Number(event.target.value) : event.target.value)}
        />
      )}
      <small id={`${id}-help`} className={problem === undefined ? undefined : "wrong"}>
        {problem ?? helpOf(schema)}
      </small>
    </div>
  );
}

/** A message within the message: its fields, one below the other. */
function SchemaParts({ name, schema, isRequired, value, onChange, wrong, path }: FieldProps) {
  const whole = resolve(schema);
  const values = isValues(value) ? value : {};
  const fields = Object.entries(whole.properties ?? {}).map(([one, part]) => (
    <SchemaField
      key={one}
      name={one}
      schema={part}
      isRequired={isRequired && (whole.required?.includes(one) ?? false)}
      value={values[one]}
      onChange={(next) => onChange({ ...values, [one]: next })}
      wrong={wrong}
      path={`${path}.${snake(one)}`}
    />
  ));
  return (
    <details className="parts" open={isRequired || Object.keys(values).length > 0}>
      <summary>
        {titleOf(name)} <span className="quiet">{helpOf(schema)}</span>
      </summary>
      <div className="stack parts-body">{fields}</div>
    </details>
  );
}

export function isValues(value: FormValue): value is FormValues {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** "acceptanceCriteria" reads "Acceptance criteria". */
function titleOf(name: string): string {
  const words = snake(name).replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The first sentence of the description, without the note where it comes from. */
function helpOf({ description = "" }: Schema): string {
  return description.replace(/^Addition \([^)]*\): /, "").split("\n")[0] ?? "";
}
