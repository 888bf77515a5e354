/** Invitations of staff: an emailed link, valid for seven days, that an account with the invited email accepts (E9 to E11). */

import { refuse } from '#contract/errors.ts'
import { messagePaths, paths } from '#contract/paths.ts'
import { roleLabels } from '#contract/role-labels.ts'
import type { InviteView, NewMember, StaffMember } from '#contract/team.ts'
import { renderEmail } from '#server/adapters/mail/email-template.ts'
import { MailRefused } from '#server/adapters/mail/port.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import type { Tx } from '#server/platform/db.ts'
import { INVITE_DAYS, inviteExpiry, whyNotAccept } from './invite-rules.ts'
import {
  findInvite,
  findMemberByEmail,
  findOpenInvite,
  findStaff,
  findStaffOfUid,
  type InviteRow,
  insertInvite,
  insertInvited,
  lockStaff,
  markAccepted,
  replaceMembership,
  type StaffRow,
  updateStaff,
  withdrawInvites,
} from './store.ts'
import { demandGrant, getMember } from './team.ts'

const LINK_USE = 'invitacion'
export const INVITE_EMAIL_JOB = 'team.invite'

const tokenOf = (ctx: Ctx, staff_invite_id: number): string => ctx.studio.signer.sign(LINK_USE, String(staff_invite_id))
const addressOf = (ctx: Ctx, staff_invite_id: number): string =>
  `${ctx.studio.publicUrl}${messagePaths.invitation(tokenOf(ctx, staff_invite_id))}`

/** Limits emails per address, for all senders together. TOO_MANY_REQUESTS. */
const slow = (ctx: Ctx, email: string): Promise<void> => ctx.throttle({ name: 'staff-invite', subject: email, max: 5, seconds: 3_600 })

/** Creates a new link that replaces the previous one, and enqueues its email. */
async function sendInvite(ctx: Ctx, tx: Tx, { staff_id, email }: Pick<StaffRow, 'staff_id' | 'email'>): Promise<InviteRow> {
  await withdrawInvites(tx, staff_id, ctx.now)
  const invite = await insertInvite(tx, {
    staff_id,
    email,
    invited_by: ctx.staff?.staff_id ?? null,
    createdAt: ctx.now,
    expiresAt: inviteExpiry(ctx.now),
  })
  await ctx.audit(tx, { action: 'staff.invite', entity: 'staff', entity_id: staff_id, after: { email, expires_at: invite.expiresAt } })
  await tx.send({ name: INVITE_EMAIL_JOB, data: { staff_invite_id: invite.staff_invite_id } })
  return invite
}

interface Invited {
  staff_member: StaffMember
  invite_url: string
  expires_at: string
}

async function invited(ctx: Ctx, staff_id: number): Promise<Invited> {
  const invite = await findOpenInvite(ctx.db, staff_id)
  if (!invite) throw refuse('NOT_FOUND')
  const { staff_member } = await getMember(ctx, staff_id)
  return { staff_member, invite_url: addressOf(ctx, invite.staff_invite_id), expires_at: invite.expiresAt.toISOString() }
}

/**
 * Creates a staff member and emails the link; they have no access until they accept. ALREADY_EXISTS with the `staff_id` that has the email.
 * RECENT_SIGN_IN_REQUIRED, FORBIDDEN, NOT_FOUND, TOO_MANY_REQUESTS.
 */
export async function inviteMember(ctx: Ctx, input: NewMember): Promise<Invited> {
  ctx.requireRecentSignIn()
  const email = input.email.toLowerCase()
  const { staff_id } = await ctx.once('team.invite', input, async (tx) => {
    const membership = await demandGrant(ctx, tx, input)
    const known = await findMemberByEmail(tx, email)
    if (known) throw refuse('ALREADY_EXISTS', { staff_id: known.staff_id, is_disabled: known.disabledAt !== null })
    const row = await insertInvited(tx, {
      uid: null,
      name: input.name,
      email,
      role: membership.role,
      instructor_id: input.instructor_id ?? null,
      createdAt: ctx.now,
    })
    await replaceMembership(tx, row.staff_id, membership)
    await ctx.audit(tx, {
      action: 'staff.add',
      entity: 'staff',
      entity_id: row.staff_id,
      after: { email, name: input.name, ...membership, instructor_id: row.instructor_id },
    })
    await sendInvite(ctx, tx, row)
    return { staff_id: row.staff_id }
  })
  return invited(ctx, staff_id)
}

/** Sends a new link to a person who has not accepted; the previous one becomes invalid. NOT_FOUND, INVITE_ACCEPTED, TOO_MANY_REQUESTS. */
export async function inviteAgain(ctx: Ctx, input: { staff_id: number }): Promise<Invited> {
  const row = await findStaff(ctx.db, input.staff_id)
  if (!row || row.disabledAt) throw refuse('NOT_FOUND')
  await slow(ctx, row.email)
  await ctx.tx(async (tx) => {
    const locked = await lockStaff(tx, input.staff_id)
    if (!locked || locked.disabledAt) throw refuse('NOT_FOUND')
    if (locked.uid !== null) throw refuse('INVITE_ACCEPTED')
    await sendInvite(ctx, tx, locked)
  })
  return invited(ctx, input.staff_id)
}

/** The last link, for sending it another way. NOT_FOUND when there is none or it was accepted. */
export const inviteLink = (ctx: Ctx, input: { staff_id: number }): Promise<Invited> => invited(ctx, input.staff_id)

/** Resolves a link. NOT_FOUND for an invalid signature. */
async function readLink(ctx: Ctx, db: Ctx['db'], token: string): Promise<{ invite: InviteRow; member: StaffRow }> {
  const subject = ctx.studio.signer.read(LINK_USE, token)
  const invite = subject === null || !/^\d{1,9}$/.test(subject) ? null : await findInvite(db, Number(subject))
  const member = invite && (await findStaff(db, invite.staff_id))
  if (!invite || !member) throw refuse('NOT_FOUND')
  return { invite, member }
}

function stateOf({ acceptedAt, withdrawnAt, expiresAt }: InviteRow, now: Date): InviteView['state'] {
  if (acceptedAt) return 'accepted'
  if (withdrawnAt) return 'withdrawn'
  return expiresAt <= now ? 'expired' : 'open'
}

/** The content of the invitation page. */
export async function inviteView(ctx: Ctx, input: { token: string }): Promise<{ invite: InviteView }> {
  await ctx.throttle({ name: 'invite-view', subject: ctx.ip, max: 60, seconds: 3_600 })
  const { invite, member } = await readLink(ctx, ctx.db, input.token)
  const { name, role } = member
  return {
    invite: {
      name,
      email: invite.email,
      role,
      role_label: roleLabels[role],
      expires_at: invite.expiresAt.toISOString(),
      state: stateOf(invite, ctx.now),
    },
  }
}

/** Throws INVITE_EXPIRED unless the link is valid. */
function demandOpen(invite: InviteRow, now: Date): void {
  const state = stateOf(invite, now)
  if (state !== 'open') throw refuse('INVITE_EXPIRED', { state })
}

/**
 * Creates an account without a password for an invited person who has none, and emails a link to set one, which verifies the email. `sent`
 * is false when the accounts are at Google, where people sign up with Google. NOT_FOUND, INVITE_EXPIRED, TOO_MANY_REQUESTS.
 */
export async function mailPassword(ctx: Ctx, input: { token: string }): Promise<{ sent: boolean }> {
  const { invite, member } = await readLink(ctx, ctx.db, input.token)
  demandOpen(invite, ctx.now)
  await ctx.throttle({ name: 'invite-password', subject: invite.email, max: 5, seconds: 3_600 })
  const { identity } = ctx.ports
  if (!identity.createsAccounts()) return { sent: false }
  await identity.createAccount({ email: invite.email, name: member.name })
  return { sent: await identity.sendPasswordLink(invite.email, paths.loginThen(messagePaths.invitation(input.token))) }
}

/**
 * Links the caller's account to the invited staff member: its email must be the invited one, and verified. A customer stays a customer.
 * Idempotent. NOT_FOUND, INVITE_EXPIRED, INVITE_OTHER_EMAIL, INVITE_EMAIL_UNCONFIRMED, ALREADY_EXISTS.
 */
export async function acceptInvite(ctx: Ctx, input: { token: string }): Promise<{ ok: true }> {
  ctx.requireOwnDevice()
  const { actor } = ctx
  if (actor.kind !== 'identity') throw refuse('UNAUTHENTICATED')
  await ctx.tx(async (tx) => {
    const { invite: seen } = await readLink(ctx, tx, input.token)
    const member = await lockStaff(tx, seen.staff_id)
    const invite = await findInvite(tx, seen.staff_invite_id)
    if (!member || !invite) throw refuse('NOT_FOUND')
    if (invite.acceptedAt && member.uid === actor.uid && !member.disabledAt) return
    demandOpen(invite, ctx.now)
    if (member.disabledAt || member.uid !== null) throw refuse('INVITE_EXPIRED')
    const no = whyNotAccept(invite.email, actor)
    if (no) throw no
    if (await findStaffOfUid(tx, actor.uid)) throw refuse('ALREADY_EXISTS')
    await updateStaff(tx, member.staff_id, { uid: actor.uid })
    await markAccepted(tx, invite.staff_invite_id, ctx.now)
    await ctx.audit(tx, {
      action: 'staff.accept',
      entity: 'staff',
      entity_id: member.staff_id,
      after: { email: invite.email, customer_id: actor.customer?.customer_id ?? null },
    })
    tx.notify({ topic: 'people', uid: actor.uid })
  })
  return { ok: true }
}

/** Sends the email of an invitation, unless it was withdrawn or accepted. */
export async function deliverInvite(ctx: Ctx, input: { staff_invite_id: number }): Promise<void> {
  const invite = await findInvite(ctx.db, input.staff_invite_id)
  const member = invite && (await findStaff(ctx.db, invite.staff_id))
  if (!invite || !member || stateOf(invite, ctx.now) !== 'open') return
  const { business_name: studio } = ctx.settings
  const inviter = invite.invited_by === null ? null : await findStaff(ctx.db, invite.invited_by)
  const email = renderEmail(ctx.settings, ctx.studio.publicUrl, {
    subject: `Te invitaron al equipo de ${studio}`,
    preview: `Acepta la invitación para entrar a la administración de ${studio}.`,
    title: `Únete al equipo de ${studio}`,
    paragraphs: [
      `Hola, ${member.name}:`,
      `${inviter ? `${inviter.name} te invitó` : 'Te invitaron'} a la administración de ${studio}. Tu función: ${roleLabels[member.role]}.`,
      'Acepta con este correo. Si ya tienes una cuenta de cliente aquí, la conservas y entras con la misma contraseña.',
    ],
    action: { label: 'Aceptar la invitación', url: addressOf(ctx, invite.staff_invite_id) },
    notes: [`El enlace vence en ${INVITE_DAYS} días.`, 'Si no esperabas esta invitación, ignora este correo.'],
  })
  try {
    await ctx.ports.mail.send({ ...email, to: invite.email, messageId: `invitacion-${invite.staff_invite_id}` })
  } catch (error) {
    // The address refuses emails for good; the link can still be copied.
    if (!(error instanceof MailRefused)) throw error
    ctx.studio.log.warn({ staff_invite_id: invite.staff_invite_id, reason: error.message }, 'staff_invite.email_rejected')
  }
}
