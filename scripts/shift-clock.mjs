/**
 * Shifts the clock of a Node process: with CLOCK_SHIFT_MS set, `new Date()`, `Date()` and `Date.now()` return the real time plus that many
 * milliseconds. Loaded with `--import` first (by the browser tests, the server that they start, and all their processes), so that no test
 * depends on the day of the run. Timers and `performance` are unchanged.
 */
export function shiftClock(shift, scope = globalThis) {
  const TrueDate = scope.Date
  const now = () => TrueDate.now() + shift
  scope.Date = new Proxy(TrueDate, {
    construct: (target, input, newTarget) => Reflect.construct(target, input.length === 0 ? [now()] : input, newTarget),
    apply: (target) => new target(now()).toString(),
    get: (target, key) => (key === 'now' ? now : Reflect.get(target, key)),
  })
}

const shift = Number(globalThis.process?.env?.CLOCK_SHIFT_MS)
if (shift) shiftClock(shift)
