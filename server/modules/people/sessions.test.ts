/** The list of a person's sessions, and signing out of one (P16), over HTTP with sessions of the identity service. */
import { createORPCClient } from '@orpc/client'
import { OpenAPILink } from '@orpc/openapi-client/fetch'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { contract } from '#contract/index.ts'
import { OTHER_PASSWORD, PASSWORD, someEmail } from '#server/testing/identity-service.ts'
import { type Client, codeOf, studio, type TestStudio } from '#server/testing/studio.ts'

let on: TestStudio
beforeAll(async () => {
  on = await studio()
})
afterAll(() => on.close())

const PHONE = 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36'
const DESK = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'

async function identity(path: string, init: RequestInit): Promise<Record<string, unknown> & { error?: { message: string } }> {
  return (await fetch(`${on.url}/identidad/v1/${path}?key=estudio-identidad`, { method: 'POST', ...init })).json()
}
const call = (operation: string, body: object, userAgent = DESK) =>
  identity(`accounts:${operation}`, {
    headers: { 'content-type': 'application/json', 'user-agent': userAgent },
    body: JSON.stringify({ returnSecureToken: true, ...body }),
  })
const refresh = async (refresh_token: string) =>
  (await identity('token', { body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token }) })).error?.message ?? 'ok'

interface Device {
  api: Client
  idToken: string
  refreshToken: string
}
const device = (answer: Record<string, unknown>): Device => {
  const { idToken, refreshToken } = answer as { idToken: string; refreshToken: string }
  const headers = { authorization: `Bearer ${idToken}` }
  return {
    idToken,
    refreshToken,
    api: createORPCClient<Client>(new OpenAPILink(contract, { url: `${on.url}/api`, headers: () => headers })),
  }
}

async function signedUp() {
  const email = someEmail()
  const first = device(await call('signUp', { email, password: PASSWORD }, PHONE))
  return { email, first, signIn: async (agent = DESK) => device(await call('signInWithPassword', { email, password: PASSWORD }, agent)) }
}

test('signing out ends the refresh token and the ID token of that session only', async () => {
  const { first, signIn } = await signedUp()
  const second = await signIn()
  // Known to be good, so that what the process remembers of it has to be forgotten.
  await first.api.people.sessions.list()
  expect(await first.api.people.sessions.end()).toEqual({ ok: true })
  expect(await refresh(first.refreshToken)).toBe('TOKEN_EXPIRED')
  expect(await codeOf(first.api.people.sessions.list())).toBe('TOKEN_EXPIRED')
  expect((await call('lookup', { idToken: first.idToken })).error?.message).toBe('TOKEN_EXPIRED')
  expect((await call('update', { idToken: first.idToken, password: OTHER_PASSWORD })).error?.message).toBe('TOKEN_EXPIRED')
  expect(await refresh(second.refreshToken)).toBe('ok')
  expect((await second.api.people.sessions.list()).sessions).toHaveLength(1)
})

test('sessions are listed with device names, last used first, with the caller’s; closing the others keeps it', async () => {
  const { first, signIn } = await signedUp()
  on.clock.advance({ minutes: 20 })
  const second = await signIn()
  on.clock.advance({ minutes: 20 })
  // Use is noted when a session is refreshed.
  expect(await refresh(first.refreshToken)).toBe('ok')
  const { sessions } = await second.api.people.sessions.list()
  expect(sessions.map(({ device: name, is_current }) => [name, is_current])).toEqual([
    ['Chrome en Android', false],
    ['Firefox en Linux', true],
  ])
  expect(Date.parse(sessions[0]?.last_used_at ?? '')).toBe(on.clock.now().getTime())
  // Where notifications were switched on (M14).
  const p256dh = 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4'
  await first.api.push.add({ endpoint: 'https://push.example.com/telefono', p256dh, auth: 'A'.repeat(22) })
  expect((await second.api.people.sessions.list()).sessions.map(({ gets_push }) => gets_push)).toEqual([true, false])
  const stranger = await signedUp()
  expect(await second.api.people.sessions.endOthers()).toEqual({ ended: 1 })
  expect(await refresh(first.refreshToken)).toBe('TOKEN_EXPIRED')
  expect(await codeOf(first.api.people.sessions.list())).toBe('TOKEN_EXPIRED')
  expect((await second.api.people.sessions.list()).sessions).toEqual([expect.objectContaining({ is_current: true })])
  expect(await refresh(stranger.first.refreshToken)).toBe('ok')
})

test('an expired session is not listed', async () => {
  const { signIn } = await signedUp()
  on.clock.advance({ days: 91 })
  const later = await signIn()
  expect((await later.api.people.sessions.list()).sessions).toHaveLength(1)
})

test('a new password ends all other sessions and their ID tokens', async () => {
  const { first, signIn } = await signedUp()
  const second = await signIn()
  await first.api.people.sessions.list()
  const changed = device(await call('update', { idToken: second.idToken, password: OTHER_PASSWORD }))
  expect(await refresh(first.refreshToken)).toBe('TOKEN_EXPIRED')
  expect(await codeOf(first.api.people.sessions.list())).toBe('TOKEN_EXPIRED')
  expect((await changed.api.people.sessions.list()).sessions).toEqual([expect.objectContaining({ is_current: true })])
})

test('a new session is recognised at once although the account was cached before', async () => {
  const { first, signIn } = await signedUp()
  await first.api.people.sessions.list()
  for (let n = 0; n < 3; n++) expect((await (await signIn()).api.people.sessions.list()).sessions).toHaveLength(n + 2)
})
