/** Seeded random numbers (mulberry32): a demo is the same on every machine. */
export class Chance {
  #state: number
  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** A number from 0 (included) to 1 (excluded). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }

  between(from: number, to: number): number {
    return from + this.next() * (to - from)
  }

  /** True with the given probability. */
  happens(share: number): boolean {
    return this.next() < share
  }

  one<T>(of: readonly T[]): T {
    const found = of[Math.floor(this.next() * of.length)]
    if (found === undefined) throw new Error('There is nothing to choose from.')
    return found
  }

  /** The elements in random order. */
  shuffled<T>(of: readonly T[]): T[] {
    const all = [...of]
    for (let i = all.length - 1; i > 0; i--) {
      const j = Math.floor(this.next() * (i + 1))
      ;[all[i], all[j]] = [all[j] as T, all[i] as T]
    }
    return all
  }
}
