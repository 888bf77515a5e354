/** `staff_second_factor_required`: staff without a second factor have no rights of staff until they enrol one (P17). */
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { codeOf, type Person, refusalOf, studio, type TestStudio } from '#server/testing/studio.ts'

let on: TestStudio
beforeAll(async () => {
  on = await studio()
})
afterAll(() => on.close())

async function identity(path: string, body: object): Promise<Record<string, unknown> & { error?: { message: string } }> {
  const answer = await fetch(`${on.url}/identidad/v2/accounts/${path}?key=estudio-identidad`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return answer.json()
}

/** Enrols an app for a person and returns them with the token of the new session. */
async function enrol(person: Person): Promise<Person> {
  const { totpSessionInfo } = (await identity('mfaEnrollment:start', { idToken: person.token, totpEnrollmentInfo: {} })) as {
    totpSessionInfo: { sharedSecretKey: string; sessionInfo: string }
  }
  const app = new TOTP({ secret: Secret.fromBase32(totpSessionInfo.sharedSecretKey) })
  const { idToken, error } = await identity('mfaEnrollment:finalize', {
    idToken: person.token,
    displayName: 'App',
    totpVerificationInfo: {
      sessionInfo: totpSessionInfo.sessionInfo,
      verificationCode: app.generate({ timestamp: on.clock.now().getTime() }),
    },
  })
  if (error) throw new Error(error.message)
  return { ...person, token: String(idToken) }
}

test('the required second factor is off by default; once on, staff endpoints require a proven second factor', async () => {
  const owner = await on.make.staff('owner')
  const reception = await on.make.staff('reception')
  const ana = await on.make.customer()
  await on.as(reception).people.list({ page: 1 })
  await on.as(owner).content.changeSettings({ settings: [{ key: 'staff_second_factor_required', value: true }] })

  // The owner who enabled it has to enrol too.
  expect(await refusalOf(on.as(owner).content.settings())).toMatchObject({ code: 'SECOND_FACTOR_REQUIRED', status: 403 })
  expect(await codeOf(on.as(reception).people.list({ page: 1 }))).toBe('SECOND_FACTOR_REQUIRED')
  // A role without the right, and a customer, get the same refusal as before.
  expect(await codeOf(on.as(reception).content.settings())).toBe('FORBIDDEN')
  expect(await codeOf(on.as(ana).people.list({ page: 1 }))).toBe('FORBIDDEN')
  // Endpoints for all signed-in callers give no rights of staff either.
  const about = { customer_id: ana.customer_id, name: 'Otra' }
  expect(await refusalOf(on.as(reception).people.update(about))).toMatchObject({ code: 'NO_CUSTOMER', data: { role: 'reception' } })
  expect((await on.as(ana).people.me()).customer.name).not.toBe('Otra')
  expect((await on.as(reception).people.sessions.list()).sessions).toEqual([])

  const proven = await enrol(reception)
  await on.as(proven).people.list({ page: 1 })
  const boss = await enrol(owner)
  await on.as(boss).content.settings()
  // The token from before the enrolment is over, not just powerless.
  expect(await codeOf(on.as(reception).people.list({ page: 1 }))).toBe('TOKEN_EXPIRED')
  await on.as(boss).content.changeSettings({ settings: [{ key: 'staff_second_factor_required', value: false }] })
})

test('former staff cannot enrol', async () => {
  const leaving = await on.make.staff('coach')
  await on.sql('update staff set "disabledAt" = now() where uid = $1', [leaving.uid])
  const { error } = await identity('mfaEnrollment:start', { idToken: leaving.token, totpEnrollmentInfo: {} })
  expect(error?.message).toBe('OPERATION_NOT_ALLOWED')
})
