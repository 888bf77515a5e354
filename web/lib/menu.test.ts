import { describe, expect, test } from 'vitest'
import { defaultSettings, type Settings } from '#contract/settings.ts'
import { isOpenPath, openEntries } from './menu.ts'
import { siteFrom } from './site.server.ts'

const site = (over: Partial<Settings> = {}) =>
  siteFrom(
    { ...defaultSettings, ...over },
    { publicUrl: 'http://localhost:3000', vendor: { name: 'Estudio', url: null }, certification: false },
  )
const keys = (over: Partial<Settings> = {}) => openEntries(site(over)).map((entry) => entry.key)

describe('menu and router follow the same switches (S1-3.16, S1-6.08)', () => {
  test.each([
    ['online', 'videos_enabled', '/mystudio/online'],
    ['waitlists', 'waitlist_enabled', '/mystudio/waitlists'],
    ['invoices', 'subscriptions_enabled', '/mystudio/pagos'],
    ['credits', 'allow_restricted_class_types', '/mystudio/creditos'],
  ] as const)('%s needs %s', (key, setting, path) => {
    expect(keys({ [setting]: false })).not.toContain(key)
    expect(isOpenPath(path, site({ [setting]: false }))).toBe(false)
    expect(isOpenPath(`${path}/`, site({ [setting]: false }))).toBe(false)
    expect(keys({ [setting]: true })).toContain(key)
    expect(isOpenPath(path, site({ [setting]: true }))).toBe(true)
  })

  test('a link to invoice a charge opens Mis Cargos without subscriptions too', () => {
    const closed = site({ subscriptions_enabled: false })
    expect(['?facturar=1', '?facturar=1&factura=7', ''].map((search) => isOpenPath('/mystudio/pagos', closed, search))).toEqual([
      true,
      true,
      false,
    ])
    expect(isOpenPath('/mystudio/creditos', site({ allow_restricted_class_types: false }), '?facturar=1')).toBe(false)
  })

  test('a video needs the videos switch', () => {
    expect(isOpenPath('/mystudio/video/3', site())).toBe(false)
    expect(isOpenPath('/mystudio/video/3', site({ videos_enabled: true }))).toBe(true)
  })

  test("the calendar is 'Presenciales' when single_class_enabled is on (spec 2 section 2)", () => {
    const label = (over: Partial<Settings>) => openEntries(site(over))[0]?.label(site(over))
    expect(label({})).toBe('Calendario')
    expect(label({ single_class_enabled: true })).toBe('Presenciales')
  })

  test('the packages entry takes its name and path from the settings (S1-2.31)', () => {
    const named = site({ class_packages_name: 'Planes', class_packages_path: '/planes' })
    const entry = openEntries(named).find((entry) => entry.key === 'packages')
    expect([entry?.label(named), entry?.path(named)]).toEqual(['Planes', '/mystudio/planes'])
  })

  test('no private setting is in what every document carries (settled 28)', () => {
    const shared: Record<string, unknown> = { ...site() }
    for (const key of ['refund_late_payments', 'quiet_hours_start', 'renewal_notice_days', 'head', 'body', 'app_css'])
      expect(shared).not.toHaveProperty(key)
  })
})
