/** The owner sees the staff, and resets the second factor of a colleague who lost it (P17). */
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { staffIdOf } from '#server/testing/staff-ids.ts'
import { codeOf, type Person, refusalOf, START, studio, type TestStudio } from '#server/testing/studio.ts'

let on: TestStudio
beforeAll(async () => {
  on = await studio()
})
afterAll(() => on.close())

const identity = async (path: string, body: object) =>
  (
    await fetch(`${on.url}/identidad/v2/accounts/${path}?key=estudio-identidad`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  ).json() as Promise<Record<string, unknown>>

async function enrol(person: Person): Promise<Person> {
  const { totpSessionInfo } = (await identity('mfaEnrollment:start', { idToken: person.token, totpEnrollmentInfo: {} })) as {
    totpSessionInfo: { sharedSecretKey: string; sessionInfo: string }
  }
  const app = new TOTP({ secret: Secret.fromBase32(totpSessionInfo.sharedSecretKey) })
  const verificationCode = app.generate({ timestamp: on.clock.now().getTime() })
  const answer = await identity('mfaEnrollment:finalize', {
    idToken: person.token,
    displayName: 'App',
    totpVerificationInfo: { sessionInfo: totpSessionInfo.sessionInfo, verificationCode },
  })
  return { ...person, token: String(answer.idToken) }
}
const alerts = async () =>
  (
    await on.sql<{ data: { data: { kind: string; email: string } } }>(
      `select data from jobs.job where data ->> 'job' = 'identity-security-alert' order by created_on`,
    )
  )
    .map(({ data }) => data.data)
    .filter(({ kind }) => kind === 'reset')
const trail = () => on.sql<object>(`select actor, entity_id, reason from audit where action = 'staff.reset_second_factor'`)

test('resetting a lost second factor removes it and its codes, ends all sessions, sends an email, and is audited with a reason', async () => {
  const [owner, mia] = [await on.make.staff('owner'), await on.make.staff('reception')]
  const staff_id = await staffIdOf(on, mia)
  const member = async () => (await on.as(owner).team.list()).staff.find((staff) => staff.staff_id === staff_id)
  expect(await member()).toMatchObject({ email: mia.email, role: 'reception', second_factor: false, is_disabled: false })
  const reset = () => on.as(owner).team.resetSecondFactor({ staff_id, reason: 'Perdió su teléfono; vino en persona.' })
  expect(await refusalOf(reset())).toMatchObject({ code: 'SECOND_FACTOR_NONE', status: 409 })

  const proven = await enrol(mia)
  await identity('mfaRecoveryCodes:create', { idToken: proven.token })
  expect((await member())?.second_factor).toBe(true)
  expect((await reset()).staff_member).toMatchObject({ staff_id, second_factor: false })
  expect(await codeOf(on.as(proven).people.sessions.list())).toBe('TOKEN_EXPIRED')
  expect(await on.sql('select 1 from identity_recovery_code where uid = $1', [mia.uid])).toEqual([])
  expect(await alerts()).toEqual([expect.objectContaining({ kind: 'reset', email: mia.email })])
  expect(await trail()).toEqual([{ actor: 'staff:owner', entity_id: String(staff_id), reason: 'Perdió su teléfono; vino en persona.' }])
  // Twice is once.
  expect(await codeOf(reset())).toBe('SECOND_FACTOR_NONE')
  expect(await trail()).toHaveLength(1)
})

test('requires a recent sign-in, a reason and another staff member: the own factor is removed with a code only', async () => {
  const [owner, mia, leaver] = [await on.make.staff('owner'), await on.make.staff('coach'), await on.make.staff('coach')]
  await enrol(mia)
  const boss = await enrol(owner)
  const reset = (staff_id: number, reason = 'Perdió su teléfono') => on.as(boss).team.resetSecondFactor({ staff_id, reason })
  expect(await refusalOf(reset(await staffIdOf(on, owner)))).toMatchObject({ code: 'SECOND_FACTOR_OWN', status: 409 })
  expect(await codeOf(reset(2_000_000_000))).toBe('NOT_FOUND')
  expect(await codeOf(reset(await staffIdOf(on, mia), ' '))).toBe('INVALID_INPUT')
  await enrol(leaver)
  await on.sql('update staff set "disabledAt" = now() where uid = $1', [leaver.uid])
  expect(await codeOf(reset(await staffIdOf(on, leaver)))).toBe('NOT_FOUND')

  on.clock.advance({ minutes: 6 })
  expect(await refusalOf(reset(await staffIdOf(on, mia)))).toMatchObject({ code: 'RECENT_SIGN_IN_REQUIRED', status: 403 })
  on.clock.set(START)
  expect((await reset(await staffIdOf(on, mia))).staff_member.second_factor).toBe(false)
})
