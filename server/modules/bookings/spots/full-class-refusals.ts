/**
 * Who was refused a place in a class because it was full, in a booking of their own or of the staff for them (docs/domain.md RE21).
 * Recorded after the refusal and outside of its transaction, which is rolled back: first in this process's memory, then all of half a
 * second in one statement, so that a rush for a class costs one write and nobody waits for it. What a process has not written when it is
 * killed is lost: it is a figure, not a claim.
 */
import { Refusal } from '#contract/errors.ts'
import { type ClassRefusal, insertClassRefusals } from '#server/modules/bookings/store/class-refusal-store.ts'
import type { Ctx, Studio } from '#server/modules/ctx.ts'

const WRITE_AFTER_MS = 500

class RefusalBuffer {
  readonly #studio: Studio
  #waiting = new Map<string, ClassRefusal>()
  #timer: NodeJS.Timeout | null = null
  #writing: Promise<void> = Promise.resolve()

  constructor(studio: Studio) {
    this.#studio = studio
  }

  add(refused: ClassRefusal): void {
    const key = `${refused.single_class_id} ${refused.customer_id}`
    if (!this.#waiting.has(key)) this.#waiting.set(key, refused)
    // Does not keep the process alive.
    this.#timer ??= setTimeout(() => void this.write(), WRITE_AFTER_MS).unref()
  }

  /** Writes what was recorded, after what is being written. */
  write(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    this.#writing = this.#writing.then(async () => {
      const rows = [...this.#waiting.values()]
      this.#waiting = new Map()
      if (rows.length === 0) return
      await this.#studio.db
        .tx((tx) => insertClassRefusals(tx, rows))
        .catch((error: unknown) => this.#studio.log.warn({ err: error, rows: rows.length }, 'class_refusals.not_written'))
    })
    return this.#writing
  }
}

const buffers = new WeakMap<Studio, RefusalBuffer>()

function bufferOf(studio: Studio): RefusalBuffer {
  const known = buffers.get(studio) ?? new RefusalBuffer(studio)
  buffers.set(studio, known)
  return known
}

/** Writes what this process has recorded so far. */
export const writeClassRefusals = (studio: Studio): Promise<void> => bufferOf(studio).write()

/** Runs a booking for a customer, and records that the class was full when that is why it is refused. */
export async function recordingFullClass<T>(ctx: Ctx, of: Omit<ClassRefusal, 'createdAt'>, book: () => Promise<T>): Promise<T> {
  try {
    return await book()
  } catch (error) {
    if (error instanceof Refusal && error.code === 'CLASS_FULL') bufferOf(ctx.studio).add({ ...of, createdAt: ctx.now })
    throw error
  }
}
