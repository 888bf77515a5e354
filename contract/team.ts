/** Staff: the signed-in member in the administration, and the members with their rights (docs/domain.md, "Staff and rights"). */
import * as z from 'zod'
import { versioned } from './crud.ts'
import { done, endpoint, id, ids, instant, pathId, refusals, singleLine } from './endpoint.ts'
import { right, rightKeys, role } from './rights.ts'
import { smallJson } from './small-json.ts'

/** Maximum size of the value of one preference, in bytes. */
export const PREFERENCE_BYTES = 8_192
const PREFERENCE_KEYS = 50

const preferenceKey = z.string().regex(/^[a-z][a-z0-9_.:-]{0,79}$/i, 'Una clave lleva letras, números, puntos, guiones y dos puntos.')

/** The signed-in staff member: what the administration needs before it renders. */
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
  is_shared_device: z.boolean().describe('Si entré con mi PIN en un dispositivo compartido.'),
  terminal_fields_required: z.boolean().describe('Si al recibir con terminal se escriben los datos de su comprobante.'),
  preferences: z.record(z.string(), z.json()).describe('Lo que elegí en la administración, por clave.'),
  shared_views: z
    .array(
      z.object({
        list: z.string().describe('De qué lista es, como `clientes`.'),
        name: z.string().describe('Cómo se llama.'),
        filter: z.string().describe('Su búsqueda y sus filtros, como en la dirección de la pantalla.'),
        by: z.string().describe('Quién la guardó.'),
      }),
    )
    .describe('Vistas que alguien más guardó para todo el equipo, de las listas que puedo ver.'),
})
export type Me = z.infer<typeof me>

/** A staff member, for those who administer them. */
const staffMember = z.object({
  staff_id: id,
  name: z.string(),
  email: z.string(),
  role,
  rights: z.array(right).describe('Lo que puede hacer: claves de derechos.'),
  rights_added: z.array(right).describe('Derechos que tiene además de los de su función.'),
  rights_removed: z.array(right).describe('Derechos de su función que no tiene.'),
  location_ids: z.array(id).nullable().describe('Estudios donde trabaja; null: todos.'),
  instructor_id: id.nullable().describe('Su ficha de coach, si da clases.'),
  customer_id: id.nullable().describe('Su cuenta de cliente, si también es cliente.'),
  /** Whether they have one; false where accounts are at Google, which does not report it. */
  second_factor: z.boolean(),
  /** Null when unknown, and before the first sign-in. */
  last_login_at: instant.nullable().describe('Última vez que entró; null: no se sabe.'),
  has_joined: z.boolean().describe('Si ya aceptó la invitación.'),
  invite: z
    .object({
      state: z.enum(['pending', 'expired']).describe('Si el enlace sirve todavía.'),
      sent_at: instant.describe('Cuándo se envió.'),
      expires_at: instant.describe('Cuándo vence.'),
    })
    .nullable()
    .describe('Invitación que no ha aceptado; null: ya entró, o se retiró.'),
  is_disabled: z.boolean(),
  createdAt: instant,
  ...versioned.row,
})
export type StaffMember = z.infer<typeof staffMember>

/** Writable fields of a staff member. */
const membership = {
  role,
  rights_added: z.array(right).max(rightKeys.length).default([]).describe('Derechos que se le dan además de los de su función.'),
  rights_removed: z.array(right).max(rightKeys.length).default([]).describe('Derechos de su función que se le quitan.'),
  location_ids: ids(100)
    .refine((ids) => ids.length > 0, 'Elige al menos un estudio, o todos.')
    .nullable()
    .default(null)
    .describe('Estudios donde trabaja; null: todos.'),
  instructor_id: id.nullable().default(null).describe('Su ficha de coach, si da clases.'),
}
const memberName = singleLine(120).min(1, 'Debes llenar este campo.')
const newMember = z.object({ name: memberName, email: z.email().max(254), ...membership })
export type NewMember = z.output<typeof newMember>

const invited = z.object({
  staff_member: staffMember.describe('La persona.'),
  invite_url: z.string().describe('Enlace de la invitación, para enviarlo por otro medio.'),
  expires_at: instant.describe('Cuándo vence.'),
})

/** The content of the invitation page, for the holder of its link. */
const inviteView = z.object({
  name: z.string(),
  email: z.string(),
  role,
  role_label: z.string().describe('Su función, en palabras.'),
  state: z.enum(['open', 'expired', 'withdrawn', 'accepted']).describe('Si todavía se puede aceptar.'),
  expires_at: instant.describe('Cuándo vence.'),
})
export type InviteView = z.infer<typeof inviteView>

const token = z.string().min(1).max(200).describe('El permiso que lleva el enlace.')
const member = z.object({ staff_id: pathId })
const answer = z.object({ staff_member: staffMember.describe('La persona.') })

export const team = {
  /** The signed-in staff member with rights, locations and preferences. For all staff. */
  me: endpoint('GET', '/admin/me', 'staff', 'Equipo', 'Yo en la administración').output(me),
  /**
   * Changes preferences. `preferences` replaces the given keys; null removes a key. INVALID_INPUT: more than 8 kB under one key, or 32 kB
   * in all.
   */
  updateMe: endpoint('PUT', '/admin/me', 'staff', 'Equipo', 'Guardar lo que elegí en la administración')
    .input(
      z.object({
        preferences: z
          .record(preferenceKey, smallJson('Lo que se guarda es demasiado grande.'))
          .refine((value) => Object.keys(value).length <= PREFERENCE_KEYS, 'Son demasiadas claves a la vez.')
          .optional()
          .describe('Lo que cambia, por clave; null quita la clave.'),
        location_id: id.nullish().describe('Estudio que se quiere ver; null: todos los míos.'),
      }),
    )
    .errors(refusals('NOT_FOUND'))
    .output(me),
  /** All staff members by name, disabled ones last. */
  list: endpoint('GET', '/admin/staff', 'staff:staff.edit', 'Equipo', 'Equipo del estudio').output(
    z.object({ staff: z.array(staffMember) }),
  ),
  /**
   * Creates a staff member and emails an invitation, valid for seven days; they have no access until they accept. Rights and locations that
   * the caller lacks are refused. The sign-in must be recent. ALREADY_EXISTS with `staff_id`: the email belongs to a staff member. Send
   * `Idempotency-Key`.
   */
  invite: endpoint('POST', '/admin/staff', 'staff:staff.edit', 'Equipo', 'Invitar a alguien al equipo')
    .input(newMember)
    .errors(refusals('RECENT_SIGN_IN_REQUIRED', 'ALREADY_EXISTS', 'NOT_FOUND', 'IDEMPOTENCY_KEY_REUSED'))
    .output(invited),
  /**
   * Changes the given fields: role, rights, locations, name, instructor. Effective from the member's next request. Where rights or
   * locations are added the sign-in must be recent.
   */
  update: endpoint('PUT', '/admin/staff', 'staff:staff.edit', 'Equipo', 'Cambiar a alguien del equipo: solo lo que se envía')
    .input(
      z.object({
        staff_id: id,
        ...versioned.sent,
        name: memberName.optional(),
        role: role.optional(),
        rights_added: membership.rights_added.unwrap().optional().describe('Derechos que tiene además de los de su función.'),
        rights_removed: membership.rights_removed.unwrap().optional().describe('Derechos de su función que no tiene.'),
        location_ids: membership.location_ids.unwrap().optional().describe('Estudios donde trabaja; null: todos.'),
        instructor_id: id.nullish().describe('Su ficha de coach, si da clases.'),
      }),
    )
    .errors(refusals('NOT_FOUND', 'RECENT_SIGN_IN_REQUIRED', 'LAST_OWNER', 'CHANGED_MEANWHILE'))
    .output(answer),
  /** Emails a new link to a person who has not accepted; the previous one becomes invalid. */
  inviteAgain: endpoint('POST', '/admin/staff/{staff_id}/invite', 'staff:staff.edit', 'Equipo', 'Enviar otra vez la invitación')
    .input(member)
    .errors(refusals('NOT_FOUND', 'INVITE_ACCEPTED'))
    .output(invited),
  /** The last link, to be sent by hand. */
  inviteLink: endpoint('GET', '/admin/staff/{staff_id}/invite', 'staff:staff.edit', 'Equipo', 'Enlace de la invitación')
    .input(member)
    .errors(refusals('NOT_FOUND'))
    .output(invited),
  /** Disables a staff member, or withdraws an invitation: sessions end at once, records stay. */
  disable: endpoint('DELETE', '/admin/staff/{staff_id}', 'staff:staff.edit', 'Equipo', 'Desactivar a alguien del equipo')
    .input(member)
    .errors(refusals('NOT_FOUND', 'LAST_OWNER'))
    .output(answer),
  /** Restores a disabled staff member with the previous role and rights. The sign-in must be recent. */
  restore: endpoint('POST', '/admin/staff/{staff_id}/restore', 'staff:staff.edit', 'Equipo', 'Reactivar a alguien del equipo')
    .input(member)
    .errors(refusals('NOT_FOUND', 'RECENT_SIGN_IN_REQUIRED', 'ALREADY_EXISTS'))
    .output(answer),
  /**
   * Makes the holder of the printed link the first owner of a studio without one. Returns the address where they choose their password.
   * INVITE_EXPIRED: the link is not ours or older than a day; ALREADY_EXISTS: the address already has an account here.
   */
  claimStudio: endpoint('POST', '/first_owner', 'public', 'Equipo', 'Quedar a cargo de un estudio nuevo')
    .input(z.object({ token, name: memberName, email: z.email().max(254) }))
    .errors(refusals('INVITE_EXPIRED', 'STUDIO_OWNED', 'ALREADY_EXISTS'))
    .output(z.object({ url: z.string().describe('Dónde se elige la contraseña.') })),
  /** The invitation of a link. */
  inviteView: endpoint('GET', '/staff_invite/{token}', 'public', 'Equipo', 'Una invitación al equipo')
    .input(z.object({ token }))
    .errors(refusals('NOT_FOUND'))
    .output(z.object({ invite: inviteView.describe('La invitación.') })),
  /**
   * Emails a link to set a password to the invited address, and creates the account if there is none. `sent` is false where accounts are at
   * Google.
   */
  invitePassword: endpoint('POST', '/staff_invite/{token}/password', 'public', 'Equipo', 'Elegir contraseña para aceptar una invitación')
    .input(z.object({ token }))
    .errors(refusals('NOT_FOUND', 'INVITE_EXPIRED'))
    .output(z.object({ sent: z.boolean() })),
  /** Makes the caller, signed in with the invited and verified email, a staff member; a customer stays a customer. Idempotent. */
  acceptInvite: endpoint('POST', '/staff_invite/{token}/accept', 'identity', 'Equipo', 'Aceptar una invitación')
    .input(z.object({ token }))
    .errors(refusals('NOT_FOUND', 'DEVICE_SHARED', 'INVITE_EXPIRED', 'INVITE_OTHER_EMAIL', 'INVITE_EMAIL_UNCONFIRMED', 'ALREADY_EXISTS'))
    .output(done),
  /**
   * Removes the second factor of a staff member who lost app and recovery codes: their sessions end, they are notified by email, and they
   * sign in with their password and enrol again. Verify the identity of the member first. The caller's own sign-in must be recent.
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
