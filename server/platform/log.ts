/** The log: JSON lines to standard output. Never tokens, card data, passwords, complete phone numbers or complete e-mail addresses. */
export interface Log {
  debug(details: object, text: string): void
  info(details: object, text: string): void
  warn(details: object, text: string): void
  error(details: object, text: string): void
}

const LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof LEVELS)[number]

/** Keys whose values are redacted. */
const SECRET =
  /^(authorization|cookie|token|idToken|refreshToken|refresh_token|access_token|password|newPassword|clientSecret|oobCode|card|number|cvc|cvv|phone)$/i
/**
 * Patterns redacted inside any text: e-mail addresses (the first letter and the host remain) and tokens. An address begins only where its
 * letters begin, and the first part of a token is limited: a long text, such as the path of a request, is otherwise read again from each of
 * its letters.
 */
const ADDRESS = /(?<![\w.+-])([\w.+-])[\w.+-]*@((?:[\w-]+\.)+[\w-]+)/g
const TOKEN = /\beyJ[\w-]{1,500}\.[\w-]+\.[\w-]*/g

/** An error as an object with its stack and causes; does not use the error's own `toJSON`, which may omit them. */
function serializeError(error: Error): object {
  // Drizzle appends the statement's parameters to the message: personal data, which must not be logged.
  const message = 'params' in error ? error.message.replace(/\nparams: [\s\S]*$/, '') : error.message
  return {
    name: error.name,
    message,
    stack: error.stack?.replace(error.message, () => message),
    ...('issues' in error ? { issues: error.issues } : {}),
    ...(error.cause instanceof Error ? { cause: serializeError(error.cause) } : {}),
  }
}

function plain(this: Record<string, unknown>, key: string, value: unknown): unknown {
  if (SECRET.test(key)) return '***'
  const raw = this[key]
  return raw instanceof Error ? serializeError(raw) : value
}

/** Opens the log. `level`: the lowest level that is written. */
export function openLog(level: LogLevel, write: (line: string) => void = (line) => void process.stdout.write(line)): Log {
  const from = LEVELS.indexOf(level)
  const writer = (kind: LogLevel) => (details: object, text: string) => {
    if (LEVELS.indexOf(kind) < from) return
    const line = JSON.stringify({ time: new Date().toISOString(), level: kind, text, ...details }, plain)
    write(`${line.replace(TOKEN, '***').replace(ADDRESS, '$1***@$2')}\n`)
  }
  return { debug: writer('debug'), info: writer('info'), warn: writer('warn'), error: writer('error') }
}
