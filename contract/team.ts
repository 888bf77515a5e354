/** The staff: who I am in the administration, and who works here with which rights (docs/domain.md, "Staff and rights"). */
import * as z from 'zod'
import { endpoint, id, instant, pathId, refusals, singleLine } from './endpoint.ts'
import { right, role } from './rights.ts'

/** Bytes that the value of one preference may take. */
export const PREFERENCE_BYTES = 8_192
const PREFERENCE_KEYS = 50

const preferenceKey = z.string().regex(/^[a-z][a-z0-9_.:-]{0,79}$/i, 'Una clave lleva letras, números, puntos, guiones y dos puntos.')

/** Me in the administration: what the shell needs before it draws anything. */
const me = z.object({
  staff: z.object({
    staff_id: id,
    name: z.string(),
    email: z.string(),
    role,
    rights: z.array(right).describe('Lo que puedo hacer: claves de derechos.'),
    location_ids: z.array(id).nullable().describe('Estudios donde trabajo; null: todos.'),
    instructor_id: id.nullable().describe('Mi ficha de coach, si doy clases.'),
    photo: z.string().nullable().describe('Dirección de mi foto de coach.'),
  }),
  studio: z
    .object({
      business_name: z.string().describe('Nombre del estudio.'),
      timezone: z.string().describe('Zona horaria del estudio.'),
      now: instant.describe('Hora del servidor.'),
      public_url: z.string().describe('Dirección del sitio.'),
    })
    .describe('El estudio, para la administración.'),
  location_id: id.nullable().describe('Estudio que se está viendo; null: todos los míos.'),
  onboarding: z
    .object({ done: z.int().describe('Pasos hechos.'), total: z.int().describe('Pasos en total.') })
    .nullable()
    .describe('Primeros pasos del estudio; null: no hay nada que mostrar.'),
  preferences: z.record(z.string(), z.json()).describe('Lo que elegí en la administración, por clave.'),
})
export type Me = z.infer<typeof me>

/** One of the staff, as whoever administers them sees it. */
const staffMember = z.object({
  staff_id: id,
  name: z.string(),
  email: z.string(),
  role,
  /** Whether they have one; false where Google keeps the log-ins: it does not tell. */
  second_factor: z.boolean(),
  is_disabled: z.boolean(),
  createdAt: instant,
})
export type StaffMember = z.infer<typeof staffMember>

export const team = {
  /** Who I am here, what I may do and where, and how I left the administration. For everybody of the staff. */
  me: endpoint('GET', '/admin/me', 'staff', 'Equipo', 'Yo en la administración').output(me),
  /**
   * Changes how I left the administration. `preferences` replaces what it names, key by key; null takes a key away. INVALID_INPUT: more than
   * 8 kB under one key, or 32 kB in all.
   */
  updateMe: endpoint('PUT', '/admin/me', 'staff', 'Equipo', 'Guardar lo que elegí en la administración')
    .input(
      z.object({
        preferences: z
          .record(preferenceKey, z.json())
          .refine((given) => Object.keys(given).length <= PREFERENCE_KEYS, 'Son demasiadas claves a la vez.')
          .optional()
          .describe('Lo que cambia, por clave; null quita la clave.'),
        location_id: id.nullish().describe('Estudio que se quiere ver; null: todos los míos.'),
      }),
    )
    .errors(refusals('NOT_FOUND'))
    .output(me),
  /** Everybody of the staff, by name; those who no longer are at the end. */
  list: endpoint('GET', '/admin/staff', 'staff:staff.edit', 'Equipo', 'Equipo del estudio').output(
    z.object({ staff: z.array(staffMember) }),
  ),
  /**
   * Takes the second factor of a colleague away who lost app and recovery codes: their sessions end, they are told by mail, and they sign in
   * with their password and enrol again. Make sure who asks for it. The sign-in of whoever does it must be recent.
   */
  resetSecondFactor: endpoint(
    'POST',
    '/admin/staff/{staff_id}/second_factor/reset',
    'staff:staff.edit',
    'Equipo',
    'Restablecer la verificación en dos pasos de alguien del equipo',
  )
    .input(z.object({ staff_id: pathId, reason: singleLine(500).min(1, 'Debes llenar este campo.') }))
    .errors(refusals('NOT_FOUND', 'RECENT_SIGN_IN_REQUIRED', 'SECOND_FACTOR_NONE', 'SECOND_FACTOR_OWN'))
    .output(z.object({ staff_member: staffMember })),
}
