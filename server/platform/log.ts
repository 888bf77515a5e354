/** The log: JSON lines to standard output, never tokens, card data, passwords, whole phones or whole addresses (reliability study S14). */
export interface Log {
  debug(details: object, text: string): void
  info(details: object, text: string): void
  warn(details: object, text: string): void
  error(details: object, text: string): void
}

const LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof LEVELS)[number]

/** Keys whose values never reach the log. */
const SECRET =
  /^(authorization|cookie|token|idToken|refreshToken|refresh_token|access_token|password|newPassword|clientSecret|oobCode|card|number|cvc|cvv|phone)$/i
/** What gives itself away inside any text: e-mail addresses, of which the first letter and the host stay, and tokens. */
const ADDRESS = /([\w.+-])[\w.+-]*@((?:[\w-]+\.)+[\w-]+)/g
const TOKEN = /\beyJ[\w-]+\.[\w-]+\.[\w-]*/g

/** An error with its stack and causes; what an error's own `toJSON` would hide is for us to read. */
function told(error: Error): object {
  // Drizzle repeats every value of the statement that failed: people's data, which the statement alone does not have.
  const message = 'params' in error ? error.message.replace(/\nparams: [\s\S]*$/, '') : error.message
  return {
    name: error.name,
    message,
    stack: error.stack?.replace(error.message, () => message),
    ...('issues' in error ? { issues: error.issues } : {}),
    ...(error.cause instanceof Error ? { cause: told(error.cause) } : {}),
  }
}

function plain(this: Record<string, unknown>, key: string, value: unknown): unknown {
  if (SECRET.test(key)) return '***'
  const raw = this[key]
  return raw instanceof Error ? told(raw) : value
}

/** `level`: the least serious kind that is written. */
export function openLog(level: LogLevel, write: (line: string) => void = (line) => void process.stdout.write(line)): Log {
  const from = LEVELS.indexOf(level)
  const writer = (kind: LogLevel) => (details: object, text: string) => {
    if (LEVELS.indexOf(kind) < from) return
    const line = JSON.stringify({ time: new Date().toISOString(), level: kind, text, ...details }, plain)
    write(`${line.replace(TOKEN, '***').replace(ADDRESS, '$1***@$2')}\n`)
  }
  return { debug: writer('debug'), info: writer('info'), warn: writer('warn'), error: writer('error') }
}
