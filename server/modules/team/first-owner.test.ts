/** Who takes charge of a new studio: the printed link, its end, and who never becomes the owner (E17, P6). */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Ctx } from '#server/modules/ctx.ts'
import { codeOf, studio, type TestStudio } from '#server/testing/studio.ts'
import { claimLink } from './first-owner.ts'

let s: TestStudio
beforeAll(async () => {
  s = await studio()
})
afterAll(() => s.close())

const link = () => claimLink(new Ctx(s.studio, { actor: { kind: 'system', job: 'test' } }))
const tokenOf = (url: string | null) => url?.split('/').at(-1) ?? ''
const claim = (token: string, email: string) => s.as(null).team.claimStudio({ token, name: 'Sofía', email })

test('a link that is not ours, changed or older than a day does nothing (E17)', async () => {
  const old = tokenOf(await link())
  expect(await codeOf(claim('x', 'a@ejemplo.mx'))).toBe('INVITE_EXPIRED')
  expect(await codeOf(claim(old.replace(/^./, '9'), 'a@ejemplo.mx'))).toBe('INVITE_EXPIRED')
  s.clock.advance({ hours: 24 })
  expect(await codeOf(claim(old, 'a@ejemplo.mx'))).toBe('INVITE_EXPIRED')
  expect(await s.sql('select from staff')).toEqual([])
})

test("a customer's address never becomes the owner (P6)", async () => {
  const ana = await s.make.customer()
  const [row] = await s.sql<{ email: string }>('select email from customer where customer_id = $1', [ana.customer_id])
  expect(await codeOf(claim(tokenOf(await link()), row?.email ?? ''))).toBe('ALREADY_EXISTS')
  expect(await s.sql('select from staff')).toEqual([])
})

test('of two at the same time one becomes the owner, and gets a link for the password; afterwards there is no link (E17)', async () => {
  const token = tokenOf(await link())
  const results = await Promise.allSettled([claim(token, 'sofia@ejemplo.mx'), claim(token, 'raul@ejemplo.mx')])
  const created = results.filter((result) => result.status === 'fulfilled')
  expect(created).toHaveLength(1)
  expect(created[0]?.value.url).toMatch(/mode=resetPassword/)
  expect(new URL(created[0]?.value.url ?? '').searchParams.get('continueUrl')).toBe(`${s.studio.publicUrl}/entrar?volver=%2Fadmin%2Finicio`)
  expect(results.find((result) => result.status === 'rejected')?.reason).toMatchObject({ code: 'STUDIO_OWNED' })
  expect(await s.sql('select role from staff')).toEqual([{ role: 'owner' }])
  expect(await s.sql("select action from audit where entity = 'staff'")).toEqual([{ action: 'staff.add' }])
  expect(await link()).toBeNull()
  expect(await codeOf(claim(token, 'otra@ejemplo.mx'))).toBe('STUDIO_OWNED')
})
