/** The wall clock of this process, ahead of or behind that of the machine. Time itself passes as it does. */
const RealDate = Date;
let shiftMs = 0;

function shiftedNow(): number {
  return RealDate.now() + shiftMs;
}

/** From the first call on, everybody who asks for the time is told the shifted one. */
export function shiftClock(ms: number): void {
  shiftMs = ms;
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, given) => Reflect.construct(target, given.length === 0 ? [shiftedNow()] : given),
    get: (target, name) => (name === "now" ? shiftedNow : Reflect.get(target, name)),
  });
}
