/** Keys with which programs of the studio call the API (docs/domain.md, "Integrations"). */
import * as z from 'zod'
import { versioned } from './crud.ts'
import { endpoint, id, instant, localDay, pathId, refusals, singleLine } from './endpoint.ts'
import { type Right, rightKeys } from './rights.ts'

/** Keys in use at the same time. */
export const API_KEYS_MAX = 50
/** Calls of one key per minute. */
export const API_KEY_CALLS_PER_MINUTE = 300
/** For how many hours the previous secret may still work after a rotation. */
export const API_KEY_OVERLAP_HOURS = 168
/** How every secret begins, so that scanners of source code recognise it. */
export const API_KEY_PREFIX = 'est_'

/** What no key may do: administer the team, and keys, code and secrets. A key could otherwise give itself more. */
const PERSONAL: readonly Right[] = ['staff.edit', 'settings.code']
/** The rights that a key may have. */
export const apiKeyRights = rightKeys.filter((key) => !PERSONAL.includes(key))
const keyRight = z.enum(apiKeyRights as [Right, ...Right[]])

const apiKey = z.object({
  api_key_id: id,
  name: z.string(),
  rights: z.array(keyRight).describe('Lo que puede hacer: claves de derechos.'),
  prefix: z.string().describe('Con qué empieza su secreto.'),
  old_prefix: z.string().nullable().describe('Con qué empieza el secreto anterior mientras todavía sirve; null: no hay otro.'),
  old_until: instant.nullable().describe('Hasta cuándo sirve el secreto anterior.'),
  created_by: z.string().describe('Quién la creó: la llave nunca puede más que esa persona.'),
  createdAt: instant,
  ...versioned.row,
  last_used_at: instant.nullable().describe('Último uso; null: no se ha usado.'),
  expires_at: instant.nullable().describe('Cuándo vence; null: no vence.'),
  state: z.enum(['active', 'expired', 'revoked', 'orphaned']).describe('Si sirve, venció, se revocó, o quien la creó ya no tiene acceso.'),
})
export type ApiKey = z.infer<typeof apiKey>

const name = singleLine(80).min(1, 'Escribe para qué es.')
const keyRights = z
  .array(keyRight)
  .min(1, 'Elige al menos un permiso.')
  .max(apiKeyRights.length)
  .describe('Lo que puede hacer: claves de derechos.')
const withSecret = z.object({
  api_key: apiKey.describe('La llave.'),
  secret: z.string().describe('El secreto, que solo se muestra esta vez: se envía como `Authorization: Bearer …`.'),
})
const answer = z.object({ api_key: apiKey.describe('La llave.') })
const keyPath = z.object({ api_key_id: pathId })
const TAG = 'Integraciones'
const ACCESS = 'staff:settings.code'

export const apiKeys = {
  /** All keys, those in use first. */
  list: endpoint('GET', '/admin/api_keys', ACCESS, TAG, 'Llaves de API').output(
    z.object({ api_keys: z.array(apiKey).describe('Las llaves.') }),
  ),
  /**
   * Creates a key with some of the caller's rights. Its secret is in this answer only. Needs a sign-in of the last five minutes.
   */
  create: endpoint('POST', '/admin/api_keys', ACCESS, TAG, 'Crear una llave de API')
    .input(
      z.object({
        name,
        rights: keyRights,
        expires_on: localDay.nullable().default(null).describe('Último día en que sirve; null: no vence.'),
      }),
    )
    .errors(refusals('RECENT_SIGN_IN_REQUIRED'))
    .output(withSecret),
  /** Changes the name or the rights of a key. */
  update: endpoint('PUT', '/admin/api_keys', ACCESS, TAG, 'Cambiar una llave de API: solo lo que se envía')
    .input(z.object({ api_key_id: id, name: name.optional(), rights: keyRights.optional(), ...versioned.sent }))
    .errors(refusals('NOT_FOUND', 'RECENT_SIGN_IN_REQUIRED', 'CHANGED_MEANWHILE'))
    .output(answer),
  /** Gives a key another secret. The previous one works for the given hours more. Needs a sign-in of the last five minutes. */
  rotate: endpoint('POST', '/admin/api_keys/{api_key_id}/rotate', ACCESS, TAG, 'Cambiar el secreto de una llave de API')
    .input(
      z.object({
        api_key_id: pathId,
        overlap_hours: z.int().min(0).max(API_KEY_OVERLAP_HOURS).default(24).describe('Horas en que el secreto anterior todavía sirve.'),
      }),
    )
    .errors(refusals('NOT_FOUND', 'RECENT_SIGN_IN_REQUIRED'))
    .output(withSecret),
  /** Revokes a key at once and for good. */
  revoke: endpoint('DELETE', '/admin/api_keys/{api_key_id}', ACCESS, TAG, 'Revocar una llave de API')
    .input(keyPath)
    .errors(refusals('NOT_FOUND'))
    .output(answer),
}
