/** How an endpoint is declared: path, who may call it, what it may refuse. Everything else (validation, OpenAPI, clients) follows from it. */
import { oc } from '@orpc/contract'
import * as z from 'zod'
import { type ErrorCode, errors } from './errors.ts'
import { parsePesos, pesos } from './money.ts'
import { MAX_PAGE } from './paging.ts'
import type { DocumentTag } from './rendering.ts'
import type { Right } from './rights.ts'
import { isLocalDate } from './time.ts'

/** Who may call an endpoint among the staff: everybody of them, or whoever has a right. */
export type StaffAccess = 'staff' | `staff:${Right}`
/** Who may call an endpoint. `optional`: anyone, and more is answered to a signed-in customer. */
export type Access = 'public' | 'optional' | 'identity' | 'customer' | StaffAccess

export const isStaffAccess = (access: Access): access is StaffAccess => access.startsWith('staff')

/** The right that an endpoint asks of the staff; null where every one of them may call it. */
export const rightOf = (access: StaffAccess): Right | null => (access === 'staff' ? null : (access.slice('staff:'.length) as Right))

/** What the contract says of an endpoint beside its route and its schemas. */
export interface EndpointMeta {
  access: Access
  /** The answer to a visitor is the same for all of them and made from these: it is kept until there is news of one. */
  madeFrom?: readonly DocumentTag[]
  /**
   * What becomes of a field or a query key that the endpoint does not know. `refused` with its name on the endpoints of staff (`/admin/...`): a
   * filter that does nothing would answer everything, a field that does nothing would lose what somebody typed. The calls that the specification
   * lists ignore them, because its clients send records back as they read them.
   */
  unknownFields: 'refused' | 'ignored'
}

type Refusals<C extends ErrorCode> = {
  [K in C]: { status: number; message: string; data: z.ZodOptional<z.ZodRecord<z.ZodString, z.ZodAny>> }
}

const data = z.record(z.string(), z.any()).optional()

/** Declares what an endpoint may refuse, from the catalogue; an unknown code does not compile. */
export function refusals<C extends ErrorCode>(...codes: C[]): Refusals<C> {
  return Object.fromEntries(
    codes.map((code) => [code, { status: errors[code].status, message: errors[code].message, data }]),
  ) as Refusals<C>
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/**
 * An endpoint under /api. `access` is declared here, once; `tag` groups the reference page; `madeFrom` lets the answer to a visitor be kept
 * (server/platform/response-cache.ts), told apart by the path and the query keys of its input.
 */
export function endpoint(
  method: Method,
  path: `/${string}`,
  access: Access,
  tag: string,
  summary: string,
  madeFrom?: EndpointMeta['madeFrom'],
) {
  return oc
    .$meta<EndpointMeta>({ access, unknownFields: path.startsWith('/admin/') ? 'refused' : 'ignored', ...(madeFrom ? { madeFrom } : {}) })
    .route({ method, path, tags: [tag], summary, successStatus: 200, inputStructure: 'compact' })
    .errors(refusals('INVALID_INPUT', 'TOO_MANY_REQUESTS', 'INTERNAL', 'BUSY'))
    .errors(method === 'GET' ? ({} as Refusals<never>) : refusals('MALFORMED_BODY', 'BODY_TOO_LARGE', 'UNSUPPORTED_BODY'))
    .errors(access === 'public' ? ({} as Refusals<never>) : refusals('UNAUTHENTICATED', 'TOKEN_EXPIRED'))
    .errors(access === 'public' || access === 'optional' ? ({} as Refusals<never>) : refusals('FORBIDDEN'))
    .errors(access === 'customer' ? refusals('NO_CUSTOMER') : ({} as Refusals<never>))
    .errors(isStaffAccess(access) ? refusals('SECOND_FACTOR_REQUIRED') : ({} as Refusals<never>))
}

/** The largest id that the database has (int4). */
const MAX_ID = 2_147_483_647

/** An id in a body or an answer. */
export const id = z.int().min(1).max(MAX_ID)

/** An id in a path or a query, where everything is text. */
export const pathId = z
  .union([
    z.int(),
    z
      .string()
      .regex(/^[1-9]\d{0,9}$/)
      .transform(Number),
  ])
  .pipe(z.int().min(1).max(MAX_ID))

/** A page number: pages count from 1 on the wire (settled 43). */
export const pageNumber = z
  .union([
    z.int(),
    z
      .string()
      .regex(/^\d{1,5}$/)
      .transform(Number),
  ])
  .pipe(z.int().min(1).max(MAX_PAGE))

/** Some ids, each once: whoever names one twice means it once. */
export const ids = (max: number) =>
  z
    .array(id)
    .max(max)
    .transform((all) => [...new Set(all)])

const NO_SUCH_DAY = 'Esa fecha no existe.'
/** Days that calendars, zones and the database all know: nothing of a studio lies outside of them. */
const isNear = (text: string) => text >= '1900' && text < '3000'

/** A day on the studio's clocks, "2026-11-20". */
export const localDay = z.string().refine((text) => isLocalDate(text) && isNear(text), NO_SUCH_DAY)

/** An hour on a place's own clocks, written as UTC (settled 2). */
export const wallStart = z.iso.datetime().refine(isNear, NO_SUCH_DAY)

/** What is said of a text that the studio cannot keep. */
export const UNKEPT_TEXT = 'Este texto tiene caracteres que no se aceptan.'

/** One line of text from a person: trimmed, without control characters. `missing`: what is said where there is no text at all. */
export const singleLine = (max = 200, missing?: string) =>
  z
    .string(missing)
    .trim()
    .max(max)
    .regex(/^[^\p{Cc}]*$/u, UNKEPT_TEXT)

/** Text from a person that may have several lines. */
export const paragraph = (max = 4_000) =>
  z
    .string()
    .trim()
    .max(max)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: PostgreSQL refuses NUL, so it stops here.
    .regex(/^[^\u0000-\u0008\u000b\u000c\u000e-\u001f]*$/, UNKEPT_TEXT)

/** A field that null leaves as it is, like one that is not sent: a record that is saved as it was read has nulls in it. */
export const unlessNull = <S extends z.ZodType>(schema: S) =>
  schema
    .nullish()
    .transform((given) => given ?? undefined)
    .optional()

/** An instant, ISO 8601 with offset. */
export const instant = z.iso.datetime({ offset: true })

/** An amount of pesos on the wire: "1450.00". */
export const pesosWire = z.string().regex(/^-?\d{1,7}\.\d{2}$/)

/** A price that staff type, in pesos: "220" or "220.50", more than zero. Answers centavos' own wire form, "220.50". */
export const priceSent = z
  .union([z.string().trim().max(12), z.number().transform(String)])
  .refine((text) => (parsePesos(text) ?? 0) > 0, 'Escribe un precio mayor que cero, como 220.00.')
  .transform((text) => pesos(parsePesos(text) ?? 0))

/** An amount that staff type, in pesos: "0", "220" or "220.50". Answers the wire form, "220.50". */
export const amountSent = z
  .union([z.string().trim().max(12), z.number().transform(String)])
  .refine((text) => parsePesos(text) !== null, 'Escribe una cantidad en pesos, como 220.00.')
  .transform((text) => pesos(parsePesos(text) ?? 0))

/** What an endpoint answers when there is nothing else to say. */
export const done = z.object({ ok: z.literal(true) })
