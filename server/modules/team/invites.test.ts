/**
 * Invitations to the staff: mailed, copied, accepted by the holder of the address, with or without a customer's account (docs/domain.md, E9
 * to E11).
 */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { codeOf, type Person, refusalOf, studio, type TestStudio } from '#server/testing/studio.ts'
import { deliverInvite } from './invites.ts'

let on: TestStudio
let owner: Person
beforeAll(async () => {
  on = await studio()
  owner = await on.make.staff('owner', { name: 'Mónica' })
})
afterAll(() => on.close())
beforeEach(() => on.reset())

const team = () => on.as(owner).team
const tokenIn = (url: string) => url.split('/').at(-1) ?? ''
let count = 0
const someEmail = () => `equipo${++count}@ejemplo.mx`
const memberOf = async (staff_id: number) => (await team().list()).staff.find((staff) => staff.staff_id === staff_id)
/** Sends the queued invitations of an address and returns the mail that arrived. */
async function mailTo(email: string) {
  const jobs = await on.sql<{ staff_invite_id: number }>(
    `select (data -> 'data' ->> 'staff_invite_id')::int as staff_invite_id from jobs.job where data ->> 'job' = 'team.invite' order by created_on`,
  )
  for (const job of jobs) await deliverInvite(on.system('team.invite'), job)
  const { mails } = await on.as(owner).messages.outbox({ page: 1 })
  return mails.filter((mail) => mail.to === email)
}

test('an invitation is emailed with a link; the account with that email accepts it and gets its rights (E9)', async () => {
  const email = someEmail()
  const { location_id } = await on.make.location()
  const invited = await team().invite({
    name: 'Sofía Luna',
    email: email.toUpperCase(),
    role: 'reception',
    location_ids: [location_id],
    rights_added: ['sales.refund'],
    rights_removed: ['customers.edit'],
  })
  expect(invited.staff_member).toMatchObject({
    email,
    role: 'reception',
    has_joined: false,
    invite: { state: 'pending' },
    location_ids: [location_id],
  })
  expect(invited.expires_at).toBe('2026-11-26T16:00:00.000Z')
  const [mail] = await mailTo(email)
  expect(mail?.subject).toBe(`Te invitaron al equipo de ${on.studio.settings().business_name}`)
  expect(mail?.text).toContain('Mónica te invitó')
  expect(mail?.text).toContain(invited.invite_url)
  expect(invited.invite_url).toMatch(/\/cuenta\/invitacion\/[\w.-]+$/)
  const token = tokenIn(invited.invite_url)
  expect((await on.as(null).team.inviteView({ token })).invite).toMatchObject({
    name: 'Sofía Luna',
    email,
    role_label: 'Recepción',
    state: 'open',
  })

  const sofia = await on.make.account(email)
  expect(await codeOf(on.as(sofia).team.me())).toBe('FORBIDDEN')
  expect(await on.as(sofia).team.acceptInvite({ token })).toEqual({ ok: true })
  expect(await on.as(sofia).team.acceptInvite({ token })).toEqual({ ok: true })
  const { staff } = await on.as(sofia).team.me()
  expect(staff).toMatchObject({ staff_id: invited.staff_member.staff_id, role: 'reception', location_ids: [location_id] })
  expect([staff.rights.includes('sales.refund'), staff.rights.includes('customers.edit')]).toEqual([true, false])
  expect((await on.as(null).team.inviteView({ token })).invite.state).toBe('accepted')
  expect(await memberOf(staff.staff_id)).toMatchObject({ has_joined: true, invite: null })
  const trail = await on.sql<{ action: string }>(`select action from audit where entity = 'staff' and entity_id = $1 order by audit_id`, [
    String(staff.staff_id),
  ])
  expect(trail.map(({ action }) => action)).toEqual(['staff.add', 'staff.invite', 'staff.accept', 'staff.sign_in'])
})

test('an invited customer keeps their account, which is then both (E10)', async () => {
  const ana = await on.make.customer()
  const { staff_member, invite_url } = await team().invite({ name: 'Ana', email: ana.email, role: 'coach' })
  await on.as(ana).team.acceptInvite({ token: tokenIn(invite_url) })
  expect((await on.as(ana).team.me()).staff.staff_id).toBe(staff_member.staff_id)
  expect((await on.as(ana).people.me()).customer).toMatchObject({ customer_id: ana.customer_id, role: 'coach' })
  expect((await memberOf(staff_member.staff_id))?.customer_id).toBe(ana.customer_id)
})

test('only an account with the invited, verified email accepts; a link with a wrong signature is not found (E10)', async () => {
  const email = someEmail()
  const { staff_member, invite_url } = await team().invite({ name: 'Iris', email, role: 'manager' })
  const token = tokenIn(invite_url)
  expect(await codeOf(on.as(null).team.acceptInvite({ token }))).toBe('UNAUTHENTICATED')
  const other = await on.make.customer()
  expect(await refusalOf(on.as(other).team.acceptInvite({ token }))).toMatchObject({ code: 'INVITE_OTHER_EMAIL', data: { email } })
  const { uid } = await on.studio.ports.identity.createAccount({ email, password: 'bicicleta-9' })
  const unproven = { uid, email, token: await on.studio.ports.identity.tokenFor(uid, 86_400), customer_id: 0 }
  expect(await codeOf(on.as(unproven).team.acceptInvite({ token }))).toBe('INVITE_EMAIL_UNCONFIRMED')
  expect((await memberOf(staff_member.staff_id))?.has_joined).toBe(false)
  for (const forged of ['1.AAAA', `${staff_member.staff_id}.${token.split('.')[1]}`, 'x', `${token}x`])
    expect(await codeOf(on.as(other).team.acceptInvite({ token: forged }))).toBe('NOT_FOUND')
})

test('a person without an account gets an email to set a password, which verifies the address (E10)', async () => {
  const email = someEmail()
  const { invite_url } = await team().invite({ name: 'Paz', email, role: 'reception' })
  const token = tokenIn(invite_url)
  expect(await on.as(null).team.invitePassword({ token })).toEqual({ sent: true })
  const [account] = await on.sql<{ uid: string; email_verified: boolean }>(
    'select uid, email_verified from identity_account where email = $1',
    [email],
  )
  expect(account?.email_verified).toBe(false)
  const [job] = await on.sql<{ kind: string; next: string }>(
    `select data -> 'data' ->> 'kind' as kind, data -> 'data' ->> 'continueUrl' as next from jobs.job where data ->> 'job' = 'identity-letter' and data -> 'data' ->> 'email' = $1`,
    [email],
  )
  // After choosing the new password the page continues to the invitation.
  expect(job).toEqual({
    kind: 'PASSWORD_RESET',
    next: `${on.studio.publicUrl}/entrar?volver=${encodeURIComponent(new URL(invite_url).pathname)}`,
  })
  const url = new URL((await on.studio.ports.identity.passwordLink(account?.uid ?? '', 3_600_000)) ?? '')
  const chosen = await fetch(`${on.url}/identidad/v1/accounts:resetPassword?key=estudio-identidad`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ oobCode: url.searchParams.get('oobCode'), newPassword: 'una-llave-rara-47' }),
  })
  expect(await chosen.json()).toMatchObject({ email })
  on.clock.advance({ seconds: 2 })
  const paz = { uid: account?.uid ?? '', email, customer_id: 0, token: await on.studio.ports.identity.tokenFor(account?.uid ?? '', 86_400) }
  await on.as(paz).team.acceptInvite({ token })
  expect((await on.as(paz).team.me()).staff.role).toBe('reception')
})

test('a link is valid for seven days; a new one replaces it, and a withdrawn one is refused (E9, E11)', async () => {
  const email = someEmail()
  const { staff_member, invite_url } = await team().invite({ name: 'Rita', email, role: 'coach' })
  const { staff_id } = staff_member
  const rita = await on.make.account(email)
  on.clock.advance({ days: 7 })
  expect((await memberOf(staff_id))?.invite?.state).toBe('expired')
  expect(await refusalOf(on.as(rita).team.acceptInvite({ token: tokenIn(invite_url) }))).toMatchObject({
    code: 'INVITE_EXPIRED',
    status: 410,
  })
  expect(await codeOf(on.as(null).team.invitePassword({ token: tokenIn(invite_url) }))).toBe('INVITE_EXPIRED')

  const second = await team().inviteAgain({ staff_id })
  expect((await team().inviteLink({ staff_id })).invite_url).toBe(second.invite_url)
  expect((await on.as(null).team.inviteView({ token: tokenIn(invite_url) })).invite.state).toBe('withdrawn')
  await team().disable({ staff_id })
  expect(await refusalOf(on.as(rita).team.acceptInvite({ token: tokenIn(second.invite_url) }))).toMatchObject({
    code: 'INVITE_EXPIRED',
    data: { state: 'withdrawn' },
  })
  expect(await codeOf(team().inviteAgain({ staff_id }))).toBe('NOT_FOUND')
  owner = { ...owner, token: await on.studio.ports.identity.tokenFor(owner.uid, 30 * 86_400) }
  expect((await team().restore({ staff_id })).staff_member).toMatchObject({ is_disabled: false, invite: null, has_joined: false })
  const third = await team().inviteAgain({ staff_id })
  await on.as(rita).team.acceptInvite({ token: tokenIn(third.invite_url) })
  expect(await codeOf(team().inviteAgain({ staff_id }))).toBe('INVITE_ACCEPTED')
  expect(await codeOf(team().inviteLink({ staff_id }))).toBe('NOT_FOUND')
})

test('an email is invited once: a second invitation names its staff member, and two concurrent ones create one (E9)', async () => {
  const email = someEmail()
  const invite = () => team().invite({ name: 'Doble', email, role: 'coach' })
  const results = await Promise.allSettled([invite(), invite(), invite()])
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  const [row] = await on.sql<{ staff_id: number }>('select staff_id from staff where email = $1', [email])
  expect(await refusalOf(invite())).toMatchObject({ code: 'ALREADY_EXISTS', data: { staff_id: row?.staff_id, is_disabled: false } })
  const mine = await on.make.staff('coach')
  expect(await codeOf(team().invite({ name: 'Otra vez', email: mine.email, role: 'coach' }))).toBe('ALREADY_EXISTS')

  const keyed = () => on.as(owner, 'la-misma').team.invite({ name: 'Una', email: 'una.vez@ejemplo.mx', role: 'coach' })
  const [first, two] = [await keyed(), await keyed()]
  expect(two.staff_member.staff_id).toBe(first.staff_member.staff_id)
})

test('limits emails per address and hour', async () => {
  const { staff_member } = await team().invite({ name: 'Mucho', email: someEmail(), role: 'coach' })
  for (let n = 0; n < 5; n++) await team().inviteAgain({ staff_id: staff_member.staff_id })
  expect(await codeOf(team().inviteAgain({ staff_id: staff_member.staff_id }))).toBe('TOO_MANY_REQUESTS')
})
