/**
 * Moves the clock of a Node process: with CLOCK_SHIFT_MS set, `new Date()`, `Date()` and `Date.now()` answer the true time plus so many
 * milliseconds, and go on from there. Loaded with `--import` before anything else (the browser tests, the server that they start, and every process of either), so
 * that a whole run believes in one instant and no test depends on the day on which it runs. Timers and `performance` are not touched.
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
