/** Shifts the wall clock of this process. Time still passes at its normal rate. */
const RealDate = Date;
let shiftMs = 0;

function shiftedNow(): number {
  return RealDate.now() + shiftMs;
}

/** From the first call on, `Date` returns the shifted time. */
export function shiftClock(ms: number): void {
  shiftMs = ms;
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, given) => Reflect.construct(target, given.length === 0 ? [shiftedNow()] : given),
    get: (target, name) => (name === "now" ? shiftedNow : Reflect.get(target, name)),
  });
}
