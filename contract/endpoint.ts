/** How an endpoint is declared: path, access, refusals. Everything else (validation, OpenAPI, clients) is derived from it. */
import { oc } from '@orpc/contract'
import * as z from 'zod'
import { type ErrorCode, errors } from './errors.ts'
import { parsePesos, pesos } from './money.ts'
import { MAX_PAGE } from './paging.ts'
import type { DocumentTag } from './rendering.ts'
import type { Right } from './rights.ts'
import { visibleText } from './text.ts'
import { isLocalDate } from './time.ts'

/** Which staff may call an endpoint: all of them, or those with a right. */
/**
 * `staff-session`: a staff member's session, also one on a shared device that waits for a PIN (contract/shared-device.ts); `staff`: all
 * staff; `staff:…`: staff with that right.
 */
export type StaffAccess = 'staff-session' | 'staff' | `staff:${Right}`
/** Which callers an endpoint accepts. `optional`: anyone, and a signed-in customer gets more in the response. */
export type Access = 'public' | 'optional' | 'identity' | 'customer' | StaffAccess

export const isStaffAccess = (access: Access): access is StaffAccess => access.startsWith('staff')

/** The right that an endpoint requires of staff; null where all staff may call it. */
export const rightOf = (access: StaffAccess): Right | null =>
  access.startsWith('staff:') ? (access.slice('staff:'.length) as Right) : null

/** Properties of an endpoint besides its route and schemas. */
export interface EndpointMeta {
  access: Access
  /** The response is the same for every visitor and made from these sources: it is cached until one of them changes. */
  madeFrom?: readonly DocumentTag[]
  /**
   * How unknown fields and query keys are treated. `refused`, naming the field, on the endpoints of staff: an ignored filter would return
   * everything, an ignored field would lose what was typed. `ignored` on the endpoints of the specification and of its records, because
   * its clients send records back as they read them.
   */
  unknownFields: 'refused' | 'ignored'
}

type Refusals<C extends ErrorCode> = {
  [K in C]: { status: number; message: string; data: z.ZodOptional<z.ZodRecord<z.ZodString, z.ZodAny>> }
}

const data = z.record(z.string(), z.any()).optional()

/** Declares which refusals of the catalogue an endpoint may return; an unknown code does not compile. */
export function refusals<C extends ErrorCode>(...codes: C[]): Refusals<C> {
  return Object.fromEntries(
    codes.map((code) => [code, { status: errors[code].status, message: errors[code].message, data }]),
  ) as Refusals<C>
}

/** What staff read and write in the specification: its records by their paths, and the calls that it names. */
const SPECIFIED_RECORDS =
  /^\/(?:announcements|available_classes|class_categories|class_packages|class_reservation_penaltys|class_types|custom_fields|customer|discounts|forms|instructors|locations|pages|payment_methods|programs|tags|video_types|videos)(?:\/\{\w+\})?$/
const SPECIFIED_CALLS: readonly string[] = [
  '/customer/admin/all',
  '/customer/admin/{customer_id}',
  '/customer/query',
  '/customer/revokeAccess',
  '/customer/removeClasses',
  '/class_packages/admin/all',
  '/class_packages/{class_package_id}/home',
  '/class_packages/especiales/{class_package_id}/asistentes',
  '/discounts/admin/all',
]
const isLenient = (path: string, access: Access): boolean =>
  !isStaffAccess(access) || SPECIFIED_RECORDS.test(path) || SPECIFIED_CALLS.includes(path)

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/**
 * Declares an endpoint under /api. `access` is declared only here; `tag` groups the API reference; `madeFrom` lets a visitor's response be
 * cached (server/platform/response-cache.ts), keyed by the path and the query keys of its input.
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
    .$meta<EndpointMeta>({ access, unknownFields: isLenient(path, access) ? 'ignored' : 'refused', ...(madeFrom ? { madeFrom } : {}) })
    .route({ method, path, tags: [tag], summary, successStatus: 200, inputStructure: 'compact' })
    .errors(refusals('INVALID_INPUT', 'TOO_MANY_REQUESTS', 'INTERNAL', 'BUSY'))
    .errors(method === 'GET' ? ({} as Refusals<never>) : refusals('MALFORMED_BODY', 'BODY_TOO_LARGE', 'UNSUPPORTED_BODY'))
    .errors(access === 'public' ? ({} as Refusals<never>) : refusals('UNAUTHENTICATED', 'TOKEN_EXPIRED'))
    .errors(access === 'public' || access === 'optional' ? ({} as Refusals<never>) : refusals('FORBIDDEN'))
    .errors(access === 'customer' ? refusals('NO_CUSTOMER') : ({} as Refusals<never>))
    .errors(isStaffAccess(access) ? refusals('SECOND_FACTOR_REQUIRED', 'DEVICE_LOCKED') : ({} as Refusals<never>))
}

/** The largest id of the database's type int4. */
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

/** A whole number in a query, where everything is text. */
export const numberBetween = (min: number, max: number) =>
  z
    .union([
      z.int(),
      z
        .string()
        .regex(/^\d{1,3}$/)
        .transform(Number),
    ])
    .pipe(z.int().min(min).max(max))

/** Rows per page of a list of the administration. */
export const rowsPerPage = (usual: number) => numberBetween(1, 200).default(usual)

/** Yes or no in a query. */
export const yesOrNo = z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')])

/** Any of several values in a query: the key once, or repeated. */
export const anyOf = <S extends z.ZodEnum>(schema: S) =>
  z.union([schema.transform((value) => [value]), z.array(schema).max(schema.options.length)])

/** One or more ids in a query: the key once, or repeated. */
export const anyIds = (max: number) => z.union([pathId.transform((value) => [value]), z.array(pathId).min(1).max(max)])

/** A list of ids without duplicates. */
export const ids = (max: number) =>
  z
    .array(id)
    .max(max)
    .transform((all) => [...new Set(all)])

const NO_SUCH_DAY = 'Esa fecha no existe.'
/** Restricts days to years that calendars, time zones and the database all support. */
const isNear = (text: string) => text >= '1900' && text < '3000'

/** A day in the studio's time zone, "2026-11-20". */
export const localDay = z.string().refine((text) => isLocalDate(text) && isNear(text), NO_SUCH_DAY)

/** A time on a location's own clocks, written as UTC (settled 2). */
export const wallStart = z.iso.datetime().refine(isNear, NO_SUCH_DAY)

/** Message for a text that cannot be stored. */
export const UNKEPT_TEXT = 'Este texto tiene caracteres que no se aceptan.'

/** One line of text from a person: trimmed, without control and invisible characters. `missing`: the message for an empty text. */
export const singleLine = (max = 200, missing?: string) =>
  z
    .string(missing)
    .overwrite(visibleText)
    .trim()
    .max(max)
    .regex(/^[^\p{Cc}]*$/u, UNKEPT_TEXT)

/** Text of several lines from a person, as it is seen. */
export const paragraph = (max = 4_000) =>
  z
    .string()
    .overwrite(visibleText)
    .trim()
    .max(max)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: PostgreSQL refuses NUL, so it stops here.
    .regex(/^[^\u0000-\u0008\u000b\u000c\u000e-\u001f]*$/, UNKEPT_TEXT)

/** A field that null leaves unchanged, as if it was not sent: clients send records back as they read them, with nulls. */
export const unlessNull = <S extends z.ZodType>(schema: S) =>
  schema
    .nullish()
    .transform((value) => value ?? undefined)
    .optional()

/** An instant, ISO 8601 with offset. */
export const instant = z.iso.datetime({ offset: true })

/** An amount of pesos on the wire: "1450.00". */
export const pesosWire = z.string().regex(/^-?\d{1,7}\.\d{2}$/)

/** A price typed by staff, in pesos: "220" or "220.50", more than zero. Parses to the wire form, "220.50". */
export const priceSent = z
  .union([z.string().trim().max(12), z.number().transform(String)])
  .refine((text) => (parsePesos(text) ?? 0) > 0, 'Escribe un precio mayor que cero, como 220.00.')
  .transform((text) => pesos(parsePesos(text) ?? 0))

/** An amount typed by staff, in pesos: "0", "220" or "220.50". Parses to the wire form, "220.50". */
export const amountSent = z
  .union([z.string().trim().max(12), z.number().transform(String)])
  .refine((text) => parsePesos(text) !== null, 'Escribe una cantidad en pesos, como 220.00.')
  .transform((text) => pesos(parsePesos(text) ?? 0))

/** The output of an endpoint without a result. */
export const done = z.object({ ok: z.literal(true) })
