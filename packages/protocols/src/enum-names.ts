/** Names of a dialect for the values of an enum of the contract, both ways. */
export interface EnumNames<Name extends string> {
  number(name: Name): number;
  /** Undefined for a value that the dialect has no name for. */
  name(value: number): Name | undefined;
}

export function enumNames<Name extends string>(values: Readonly<Record<Name, number>>): EnumNames<Name> {
  const names = new Map<number, Name>();
  for (const name of Object.keys(values) as Name[]) names.set(values[name], name);
  return { number: (name) => values[name], name: (value) => names.get(value) };
}
