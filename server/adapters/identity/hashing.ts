/**
 * Password hashing with argon2id, off the main thread. Stored as a tagged string, so that parameters can be raised and other schemes
 * imported: `$argon2id$v=19$m=19456,t=2,p=1$salt$hash`.
 */
import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { Overloaded } from './fault.ts'

export interface Hasher {
  hash(password: string): Promise<string>
  /** Takes as long for an unknown account (`stored` null) as for a known one. */
  verify(password: string, stored: string | null): Promise<boolean>
  /** Whether a stored hash was made with other parameters than the current ones. */
  outdated(stored: string): boolean
}

/** OWASP's second recommendation for argon2id: 19 MiB, two passes; about 30 ms on a small machine. */
const MEMORY = 19_456
const PASSES = 2
const LANES = 1
const LENGTH = 32

const PHC = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/
const unpadded = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')

function derive(parameters: Argon2Parameters): Promise<Buffer> {
  return new Promise((resolve, reject) => argon2('argon2id', parameters, (error, key) => (error ? reject(error) : resolve(key))))
}

/** Normalized, because machines encode the same accented letter differently. */
const bytesOf = (password: string) => Buffer.from(password.normalize('NFC'), 'utf8')

/** `atOnce` hashes run in parallel (the process's thread pool has four threads in all); more than `waiting` queued throws Overloaded. */
export function passwordHasher({ atOnce = 2, waiting = 200 } = {}): Hasher {
  let running = 0
  const line: (() => void)[] = []
  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (running >= atOnce) {
      if (line.length >= waiting) throw new Overloaded()
      await new Promise<void>((go) => line.push(go))
    } else running++
    try {
      return await work()
    } finally {
      const next = line.shift()
      // The slot passes to the next in the queue without being freed in between.
      if (next) next()
      else running--
    }
  }

  const dummy = { salt: randomBytes(16), key: randomBytes(LENGTH) }

  return {
    async hash(password) {
      const nonce = randomBytes(16)
      const key = await inTurn(() =>
        derive({ message: bytesOf(password), nonce, parallelism: LANES, tagLength: LENGTH, memory: MEMORY, passes: PASSES }),
      )
      return `$argon2id$v=19$m=${MEMORY},t=${PASSES},p=${LANES}$${unpadded(nonce)}$${unpadded(key)}`
    },
    async verify(password, stored) {
      const [, memory = MEMORY, passes = PASSES, parallelism = LANES, salt, key] = PHC.exec(stored ?? '') ?? []
      const nonce = salt ? Buffer.from(salt, 'base64') : dummy.salt
      const expected = key ? Buffer.from(key, 'base64') : dummy.key
      const found = await inTurn(() =>
        derive({
          message: bytesOf(password),
          nonce,
          parallelism: Number(parallelism),
          tagLength: expected.length,
          memory: Number(memory),
          passes: Number(passes),
        }),
      )
      return timingSafeEqual(found, expected) && key !== undefined
    },
    outdated(stored) {
      return !stored.startsWith(`$argon2id$v=19$m=${MEMORY},t=${PASSES},p=${LANES}$`)
    },
  }
}
