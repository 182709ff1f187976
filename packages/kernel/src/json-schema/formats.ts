/**
 * The formats that are enforced. JSON Schema leaves the choice to the validator; others are refused with the schema, so that
 * nobody relies on what nothing checks. Each test reads its text once.
 */
export const formats: Readonly<Record<string, (text: string) => boolean>> = {
  date: isDate,
  time: isTime,
  "date-time": (text) => /^.{10}[Tt ]/.test(text) && isDate(text.slice(0, 10)) && isTime(text.slice(11)),
  email: (text) => {
    const at = text.lastIndexOf("@");
    const name = text.slice(0, at);
    return (
      at > 0 &&
      at <= 64 &&
      /^[\w.!#$%&'*+/=?^`{|}~-]+$/.test(name) &&
      !/^\.|\.\.|\.$/.test(name) &&
      isHostname(text.slice(at + 1))
    );
  },
  hostname: isHostname,
  ipv4: isIpv4,
  ipv6: isIpv6,
  uri: (text) => /^[a-z][a-z0-9+.-]*:(?:[\w\-.~:/?#[\]@!$&'()*+,;=]|%[0-9a-f]{2})+$/i.test(text),
  uuid: (text) => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text),
};

/** Longer texts have none of the formats, whatever they hold. */
export const maxFormattedLength = 8_192;

function isDate(text: string): boolean {
  const [, year, month, day] = (/^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? []).map(Number);
  if (year === undefined || month === undefined || day === undefined) return false;
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
  return day >= 1 && day <= days;
}

/** With its distance from UTC; the second 60 is a leap second, which comes at the end of a day of UTC. */
function isTime(text: string): boolean {
  const parts = /^(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:[Zz]|([+-])(\d\d):(\d\d))$/.exec(text);
  if (!parts) return false;
  const [hour, minute, second, awayHours, awayMinutes] = [1, 2, 3, 5, 6].map((at) => Number(parts[at] ?? 0));
  if ([hour, minute, second, awayHours, awayMinutes].includes(undefined)) return false;
  const [h = 0, m = 0, s = 0, oh = 0, om = 0] = [hour, minute, second, awayHours, awayMinutes];
  if (h > 23 || m > 59 || s > 60 || oh > 23 || om > 59) return false;
  if (s < 60) return true;
  const away = (parts[4] === "-" ? -1 : 1) * (oh * 60 + om);
  return (((h * 60 + m - away) % 1_440) + 1_440) % 1_440 === 1_439;
}

function isHostname(text: string): boolean {
  return (
    text.length <= 253 &&
    text.split(".").every((label) => /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i.test(label))
  );
}

function isIpv4(text: string): boolean {
  const parts = text.split(".");
  return (
    parts.length === 4 && parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255)
  );
}

function isIpv6(text: string): boolean {
  const [head = "", tail, more] = text.split("::");
  if (more !== undefined) return false;
  const groups = (part: string) => (part === "" ? [] : part.split(":"));
  const all = [...groups(head), ...groups(tail ?? "")];
  const last = all.at(-1) ?? "";
  const hasIpv4 = last.includes(".");
  const plain = hasIpv4 ? all.slice(0, -1) : all;
  if (hasIpv4 && (!isIpv4(last) || tail === "")) return false;
  const count = plain.length + (hasIpv4 ? 2 : 0);
  return (
    (tail === undefined ? count === 8 : count <= 7) && plain.every((part) => /^[0-9a-f]{1,4}$/i.test(part))
  );
}
