/** The staff: who I am in the administration, and who works here with which rights (docs/domain.md, "Staff and rights"). */
import * as z from 'zod'
import { done, endpoint, id, ids, instant, pathId, refusals, singleLine } from './endpoint.ts'
import { right, rightKeys, role } from './rights.ts'
import { smallJson } from './small-json.ts'

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
  rights: z.array(right).describe('Lo que puede hacer: claves de derechos.'),
  rights_added: z.array(right).describe('Derechos que tiene además de los de su función.'),
  rights_removed: z.array(right).describe('Derechos de su función que no tiene.'),
  location_ids: z.array(id).nullable().describe('Estudios donde trabaja; null: todos.'),
  instructor_id: id.nullable().describe('Su ficha de coach, si da clases.'),
  customer_id: id.nullable().describe('Su cuenta de cliente, si también es cliente.'),
  /** Whether they have one; false where Google keeps the log-ins: it does not tell. */
  second_factor: z.boolean(),
  /** Null where it is not known, and while nobody has logged in. */
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
})
export type StaffMember = z.infer<typeof staffMember>

/** What somebody writes of a colleague. */
const membership = {
  role,
  rights_added: z.array(right).max(rightKeys.length).default([]).describe('Derechos que se le dan además de los de su función.'),
  rights_removed: z.array(right).max(rightKeys.length).default([]).describe('Derechos de su función que se le quitan.'),
  location_ids: ids(100)
    .refine((given) => given.length > 0, 'Elige al menos un estudio, o todos.')
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

/** What the page of an invitation shows to whoever has its link. */
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
          .record(preferenceKey, smallJson('Lo que se guarda es demasiado grande.'))
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
   * Writes somebody down and mails an invitation, good for seven days; until they accept it they may do nothing. Nobody gives rights or locations
   * that they lack. ALREADY_EXISTS with `staff_id`: the address is one of the staff's. Send `Idempotency-Key`.
   */
  invite: endpoint('POST', '/admin/staff', 'staff:staff.edit', 'Equipo', 'Invitar a alguien al equipo')
    .input(newMember)
    .errors(refusals('ALREADY_EXISTS', 'NOT_FOUND', 'IDEMPOTENCY_KEY_REUSED'))
    .output(invited),
  /** Changes role, rights, locations, name or coach; what is not sent stays. It holds from the person's next call on. */
  update: endpoint('PUT', '/admin/staff', 'staff:staff.edit', 'Equipo', 'Cambiar a alguien del equipo: solo lo que se envía')
    .input(
      z.object({
        staff_id: id,
        name: memberName.optional(),
        role: role.optional(),
        rights_added: membership.rights_added.unwrap().optional().describe('Derechos que tiene además de los de su función.'),
        rights_removed: membership.rights_removed.unwrap().optional().describe('Derechos de su función que no tiene.'),
        location_ids: membership.location_ids.unwrap().optional().describe('Estudios donde trabaja; null: todos.'),
        instructor_id: id.nullish().describe('Su ficha de coach, si da clases.'),
      }),
    )
    .errors(refusals('NOT_FOUND', 'LAST_OWNER'))
    .output(answer),
  /** A fresh link by mail for somebody who has not accepted; the one before stops working. */
  inviteAgain: endpoint('POST', '/admin/staff/{staff_id}/invite', 'staff:staff.edit', 'Equipo', 'Enviar otra vez la invitación')
    .input(member)
    .errors(refusals('NOT_FOUND', 'INVITE_ACCEPTED'))
    .output(invited),
  /** The link that was mailed last, to be sent by another way. */
  inviteLink: endpoint('GET', '/admin/staff/{staff_id}/invite', 'staff:staff.edit', 'Equipo', 'Enlace de la invitación')
    .input(member)
    .errors(refusals('NOT_FOUND'))
    .output(invited),
  /** Takes somebody out of the staff, or an invitation back: sessions end at once, what they did stays. */
  disable: endpoint('DELETE', '/admin/staff/{staff_id}', 'staff:staff.edit', 'Equipo', 'Desactivar a alguien del equipo')
    .input(member)
    .errors(refusals('NOT_FOUND', 'LAST_OWNER'))
    .output(answer),
  /** Lets somebody work here again, with the role and rights of then. */
  restore: endpoint('POST', '/admin/staff/{staff_id}/restore', 'staff:staff.edit', 'Equipo', 'Reactivar a alguien del equipo')
    .input(member)
    .errors(refusals('NOT_FOUND', 'ALREADY_EXISTS'))
    .output(answer),
  /** What an invitation is about, for whoever has its link. */
  inviteView: endpoint('GET', '/staff_invite/{token}', 'public', 'Equipo', 'Una invitación al equipo')
    .input(z.object({ token }))
    .errors(refusals('NOT_FOUND'))
    .output(z.object({ invite: inviteView.describe('La invitación.') })),
  /**
   * Mails a link to choose a password to the invited address, and makes the account if there is none. `sent` is false where Google keeps the
   * accounts.
   */
  invitePassword: endpoint('POST', '/staff_invite/{token}/password', 'public', 'Equipo', 'Elegir contraseña para aceptar una invitación')
    .input(z.object({ token }))
    .errors(refusals('NOT_FOUND', 'INVITE_EXPIRED'))
    .output(z.object({ sent: z.boolean() })),
  /** Whoever is logged in with the invited address, confirmed, becomes one of the staff; a customer stays a customer. Twice is once. */
  acceptInvite: endpoint('POST', '/staff_invite/{token}/accept', 'identity', 'Equipo', 'Aceptar una invitación')
    .input(z.object({ token }))
    .errors(refusals('NOT_FOUND', 'INVITE_EXPIRED', 'INVITE_OTHER_EMAIL', 'INVITE_EMAIL_UNCONFIRMED', 'ALREADY_EXISTS'))
    .output(done),
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
