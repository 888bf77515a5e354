import { matchRoutes, type RouteObject } from 'react-router'
import { describe, expect, test } from 'vitest'
import { adminPaths, classChangePath } from '#contract/admin-paths.ts'
import { TAKEN_PATHS } from '#contract/content.ts'
import { RESERVED_SLUGS } from '#contract/content-slugs.ts'
import { messagePaths, paths } from '#contract/paths.ts'
import routes from '#web/routes.ts'
import { areaOf, crossesAreas, followLink, pathAfterLogin } from './paths.ts'

const settings = { class_packages_path: '/clases-y-planes' }
const defaults = { class_packages_path: '/paquetes' }

/** Every address that the product can build, with the file that renders it. */
const all: readonly (readonly [address: string, file: string])[] = [
  [paths.home, 'areas/site/landing.tsx'],
  [paths.schedule, 'areas/site/schedule.tsx'],
  [paths.announcements, 'areas/site/announcements.tsx'],
  [paths.location, 'areas/site/location.tsx'],
  [paths.questions, 'areas/site/questions.tsx'],
  [paths.coach(3), 'areas/site/coach.tsx'],
  [paths.instructor(3), 'areas/site/instructor.tsx'],
  [paths.classType(3), 'areas/site/class-type.tsx'],
  [paths.packages(defaults), 'areas/site/packages.tsx'],
  [paths.packages(settings), 'areas/site/any-path.tsx'],
  [paths.page('terminos-y-condiciones'), 'areas/site/any-path.tsx'],
  [paths.login, 'areas/access/login.tsx'],
  [paths.loginThen('/mystudio?clase=7'), 'areas/access/login.tsx'],
  [paths.signup, 'areas/access/signup.tsx'],
  [paths.signupThen('/checkout/4'), 'areas/access/signup.tsx'],
  [paths.recovery, 'areas/access/recovery.tsx'],
  [paths.security, 'areas/access/security.tsx'],
  [paths.mailAction, 'areas/access/mail-action.tsx'],
  [paths.checkout(4), 'areas/account/checkout.tsx'],
  [paths.thanks(9), 'areas/account/thanks.tsx'],
  [paths.paying(9), 'areas/account/thanks.tsx'],
  [paths.order(9), 'areas/account/thanks.tsx'],
  [paths.mystudio.calendar, 'areas/account/calendar.tsx'],
  [paths.mystudio.reserve(7), 'areas/account/calendar.tsx'],
  [paths.mystudio.online, 'areas/account/online.tsx'],
  [paths.mystudio.video(2), 'areas/account/video.tsx'],
  [paths.mystudio.reservations, 'areas/account/reservations.tsx'],
  [paths.mystudio.waitlists, 'areas/account/waitlists.tsx'],
  [paths.mystudio.packages(defaults), 'areas/account/packages.tsx'],
  [paths.mystudio.packages(settings), 'areas/account/any-path.tsx'],
  [paths.mystudio.onlinePackages(defaults), 'areas/account/packages.tsx'],
  [paths.mystudio.profile, 'areas/account/profile.tsx'],
  [paths.mystudio.purchases, 'areas/account/purchases.tsx'],
  [paths.mystudio.invoices, 'areas/account/invoices.tsx'],
  [paths.mystudio.toInvoice, 'areas/account/invoices.tsx'],
  [paths.mystudio.cards, 'areas/account/cards.tsx'],
  [paths.mystudio.credits, 'areas/account/credits.tsx'],
  [paths.mystudio.classOn(12, '2026-11-18'), 'areas/account/calendar.tsx'],
  [paths.mystudio.messages, 'areas/account/messages.tsx'],
  [messagePaths.offer('7-1.firma'), 'areas/access/offer.tsx'],
  [messagePaths.cardChange('7-m1.firma'), 'areas/access/card-change.tsx'],
  [messagePaths.paymentLink('7-m1.firma'), 'areas/access/payment-link.tsx'],
  [messagePaths.guestInvite('7-1.firma'), 'areas/access/guest-invite.tsx'],
  [adminPaths.home, 'areas/admin/home.tsx'],
  [adminPaths.today, 'areas/admin/today.tsx'],
  [adminPaths.schedule, 'areas/admin/schedule.tsx'],
  [adminPaths.holidays, 'areas/admin/holidays.tsx'],
  [adminPaths.scheduleTemplates, 'areas/admin/schedule-templates.tsx'],
  [adminPaths.saveTemplate('2026-11-23'), 'areas/admin/schedule-templates.tsx'],
  [adminPaths.newClass('2026-11-23'), 'areas/admin/schedule.tsx'],
  [adminPaths.newClassWith('2026-11-23', '18:00', { que: '3', en: null }), 'areas/admin/schedule.tsx'],
  [adminPaths.scheduleOf({ coach: 4 }), 'areas/admin/schedule.tsx'],
  [adminPaths.cancelClass(7, '2026-11-23'), 'areas/admin/schedule.tsx'],
  [classChangePath(7, '2026-11-23', { room: 2 }), 'areas/admin/schedule.tsx'],
  [adminPaths.selectClasses({ coach: '4', dia: null }), 'areas/admin/schedule.tsx'],
  [adminPaths.coach(3), 'areas/admin/coach.tsx'],
  [adminPaths.room(2), 'areas/admin/room.tsx'],
  [adminPaths.payroll, 'areas/admin/payroll.tsx'],
  [adminPaths.payRules, 'areas/admin/pay-rules.tsx'],
  [adminPaths.myPay, 'areas/admin/my-pay.tsx'],
  [adminPaths.reports, 'areas/admin/reports.tsx'],
  [adminPaths.report('cobrado'), 'areas/admin/report.tsx'],
  [adminPaths.customersWithTag(3), 'areas/admin/customers.tsx'],
  [adminPaths.imports, 'areas/admin/imports.tsx'],
  [adminPaths.import(4), 'areas/admin/import.tsx'],
  [adminPaths.onboarding, 'areas/admin/onboarding.tsx'],
  [adminPaths.onboardingDone, 'areas/admin/onboarding-done.tsx'],
  [adminPaths.onboardingStep('clases'), 'areas/admin/onboarding.tsx'],
  [adminPaths.substitutions, 'areas/admin/substitutions.tsx'],
  [adminPaths.segments, 'areas/admin/segments.tsx'],
  [adminPaths.catalogue('tipos'), 'areas/admin/catalogue.tsx'],
  [adminPaths.packages, 'areas/admin/packages.tsx'],
  [adminPaths.package(3), 'areas/admin/package.tsx'],
  [adminPaths.newPackage(3), 'areas/admin/package.tsx'],
  [adminPaths.discounts, 'areas/admin/discounts.tsx'],
  [adminPaths.videos, 'areas/admin/videos.tsx'],
  [adminPaths.newVideo, 'areas/admin/video.tsx'],
  [adminPaths.video(5), 'areas/admin/video.tsx'],
  [adminPaths.videoTypes, 'areas/admin/video-types.tsx'],
  [adminPaths.programs, 'areas/admin/programs.tsx'],
  [adminPaths.program(5), 'areas/admin/program.tsx'],
  [adminPaths.forms, 'areas/admin/forms.tsx'],
  [adminPaths.newForm, 'areas/admin/form.tsx'],
  [adminPaths.form(5), 'areas/admin/form.tsx'],
  [adminPaths.formAnswers(3), 'areas/admin/form-answers.tsx'],
  [adminPaths.pages, 'areas/admin/pages.tsx'],
  [adminPaths.newPage, 'areas/admin/page.tsx'],
  [adminPaths.page(3), 'areas/admin/page.tsx'],
  [adminPaths.announcements, 'areas/admin/announcements.tsx'],
  [adminPaths.duplicates, 'areas/admin/duplicates.tsx'],
  [adminPaths.products, 'areas/admin/products.tsx'],
  [adminPaths.messageTemplates, 'areas/admin/message-templates.tsx'],
  [adminPaths.broadcasts, 'areas/admin/broadcasts.tsx'],
  [adminPaths.classInSchedule(7, '2026-11-09'), 'areas/admin/schedule.tsx'],
  [adminPaths.storedMails, 'areas/admin/stored-mails.tsx'],
  [adminPaths.newBroadcast, 'areas/admin/broadcast.tsx'],
  [adminPaths.newBroadcastTo({ segmento: 3 }), 'areas/admin/broadcast.tsx'],
  [messagePaths.unsubscribe('abc.def'), 'areas/access/unsubscribe.tsx'],
  [adminPaths.messages, 'areas/admin/messages.tsx'],
  [adminPaths.settings, 'areas/admin/settings.tsx'],
  [adminPaths.settingsArea('reservas'), 'areas/admin/settings.tsx'],
  [adminPaths.setting('reservas', 'undo_minutes'), 'areas/admin/settings.tsx'],
  [adminPaths.giftCards, 'areas/admin/gift-cards.tsx'],
  [adminPaths.audit, 'areas/admin/audit.tsx'],
  [adminPaths.team, 'areas/admin/team.tsx'],
  [adminPaths.integrations, 'areas/admin/integrations.tsx'],
  [adminPaths.invite, 'areas/admin/team.tsx'],
  [adminPaths.myClasses, 'areas/admin/my-classes.tsx'],
  [adminPaths.roster(5), 'areas/admin/roster.tsx'],
  [adminPaths.reservation(5), 'areas/admin/reservation.tsx'],
  [adminPaths.reservationDetails(5), 'areas/admin/reservation.tsx'],
  [adminPaths.reservations, 'areas/admin/reservations.tsx'],
  [adminPaths.scan, 'areas/admin/scan.tsx'],
  [adminPaths.kiosk, 'areas/admin/scan.tsx'],
  [adminPaths.customers, 'areas/admin/customers.tsx'],
  [adminPaths.newCustomer, 'areas/admin/customers.tsx'],
  [adminPaths.customer(5), 'areas/admin/customer.tsx'],
  [adminPaths.giveAccess(5), 'areas/admin/customer.tsx'],
  [adminPaths.exports, 'areas/admin/exports.tsx'],
  [adminPaths.sales, 'areas/admin/sales.tsx'],
  [adminPaths.salesTab('cargos'), 'areas/admin/sales.tsx'],
  [adminPaths.newSale, 'areas/admin/new-sale.tsx'],
  [adminPaths.newSaleWith({ cliente: 5, clase: 7 }), 'areas/admin/new-sale.tsx'],
  [adminPaths.sale(5), 'areas/admin/sale.tsx'],
  [adminPaths.till, 'areas/admin/till.tsx'],
  [adminPaths.tillCounts, 'areas/admin/till-counts.tsx'],
  [adminPaths.tillCount(5), 'areas/admin/till-count.tsx'],
]

type Filed = RouteObject & { file: string }
const tree = (entries: typeof routes): Filed[] =>
  entries.map((entry) =>
    entry.index
      ? { index: true, file: entry.file }
      : { file: entry.file, ...(entry.path ? { path: entry.path } : {}), ...(entry.children ? { children: tree(entry.children) } : {}) },
  )

const leaves = (value: unknown): unknown[] => (typeof value === 'object' && value !== null ? Object.values(value).flatMap(leaves) : [value])

describe('paths', () => {
  test.each(all)('%s is shown by %s', (address, file) => {
    const matched = matchRoutes<Filed>(tree(routes), address.split('?')[0] ?? '')
    expect(matched?.at(-1)?.route.file).toBe(file)
  })

  test('every path is in the list above', () => {
    // packages and mystudio.packages are listed twice: with the default path and with a configured one.
    // A proposed change of a class has a function of its own.
    // Of the paths of messages five have a page of their own: an offer, a card, promotions, a payment link and a guest's place.
    expect(all.length).toBe(leaves(paths).length + leaves(adminPaths).length + 2 + 5 + 1)
  })

  test('no content page and no packages path can have the address of a screen of the product (T1)', () => {
    // Segments that a slug cannot contain (a dot, an underscore) need not be reserved; /preguntas-frecuentes shows the page with that slug.
    const firsts = (entries: typeof routes): string[] =>
      entries
        .flatMap(({ path, children }) => (path ? [path.split('/')[0] ?? ''] : firsts(children ?? [])))
        .filter((text) => /^[a-z0-9-]+$/.test(text))
    const onSite = firsts(routes).filter((first) => first !== 'preguntas-frecuentes')
    expect(onSite).toContain('recuperar')
    expect(onSite.filter((text) => !(RESERVED_SLUGS as readonly string[]).includes(text))).toEqual([])
    const account = routes.flatMap(({ children }) => children ?? []).find(({ path }) => path === 'mystudio')
    const below = firsts(account?.children ?? [])
    expect(below).toContain('reservaciones')
    expect([...firsts(routes), ...below].filter((path) => path !== 'paquetes' && !TAKEN_PATHS.includes(path))).toEqual([])
  })

  test('typed text cannot leave its segment of an address', () => {
    expect(paths.page('../admin')).toBe('/..%2Fadmin')
    expect(paths.loginThen('/mystudio?a=1&b=2')).toBe('/entrar?volver=%2Fmystudio%3Fa%3D1%26b%3D2')
  })

  test('every page with a card form is in the card area', () => {
    expect(areaOf('/checkout/4')).toBe('card')
    expect(areaOf(messagePaths.cardChange('7-m1.firma'))).toBe('card')
    expect(areaOf('/mystudio/metodos')).toBe('card')
    expect([areaOf('/Checkout/4'), areaOf('/MYSTUDIO/Metodos'), areaOf('/Tarjeta/7-m1.firma')]).toEqual(['card', 'card', 'card'])
    expect(areaOf('/mystudio')).toBe('account')
    expect(areaOf('/mystudio/reservaciones?pagina=2')).toBe('account')
    expect(areaOf(paths.mystudio.video(7))).toBe('video')
    expect(areaOf('/mystudio/videos')).toBe('account')
    expect(areaOf('/mystudio/online')).toBe('account')
    expect(areaOf('/gracias/4')).toBe('account')
    expect(areaOf('/entrar?volver=%2F')).toBe('access')
    expect(areaOf('/cuenta/accion')).toBe('access')
    expect(areaOf('/admin/ajustes')).toBe('admin')
    expect(areaOf('/')).toBe('site')
    // Content pages whose address only begins with an area's name.
    expect(areaOf('/mystudios')).toBe('site')
    expect(areaOf('/administradores')).toBe('site')
    expect(areaOf('/entrar-ya')).toBe('site')
    expect(crossesAreas('/', '/calendario')).toBe(false)
    expect(crossesAreas('/mystudio', '/mystudio/metodos')).toBe(true)
  })

  test('the destination after log-in is one of our own paths', () => {
    expect(pathAfterLogin('?volver=%2Fmystudio%3Fclase%3D7')).toBe('/mystudio?clase=7')
    expect(pathAfterLogin('')).toBe('/mystudio')
    expect(pathAfterLogin('?volver=%2Fseguridad')).toBe('/seguridad')
    expect(pathAfterLogin('?volver=%2Fregistro')).toBe('/mystudio')
    // Who logs in to accept an invitation returns to it.
    const token = '7.aB-c_9'
    expect(pathAfterLogin(`?volver=${encodeURIComponent(messagePaths.invitation(token))}`)).toBe(messagePaths.invitation(token))
    for (const evil of [
      'https://evil.mx',
      '//evil.mx',
      '/\\evil.mx',
      'javascript:alert(1)',
      '/ /evil',
      '/\t/evil',
      '/entrar',
      '/Entrar/',
      '/registro?volver=/x',
      '/cuenta/accion?mode=resetPassword&oobCode=x',
    ])
      expect(pathAfterLogin(`?volver=${encodeURIComponent(evil)}`)).toBe('/mystudio')
  })

  test('links within the domain are followed inside the app, others open in a new tab (S1-2.51)', () => {
    expect(followLink('/paquetes', '')).toEqual({ to: '/paquetes', newTab: false })
    expect(followLink('https://vaiven.mx/avisos?x=1#a', 'vaiven.mx')).toEqual({ to: '/avisos?x=1#a', newTab: false })
    expect(followLink('https://vaiven.mx/avisos', 'https://vaiven.mx/')).toEqual({ to: '/avisos', newTab: false })
    expect(followLink('https://otro.mx/', 'vaiven.mx')).toEqual({ to: 'https://otro.mx/', newTab: true })
    expect(followLink('https://evilvaiven.mx/', 'vaiven.mx').newTab).toBe(true)
    expect(followLink('https://otro.mx/', '').newTab).toBe(true)
    expect(followLink('mailto:hola@vaiven.mx', 'vaiven.mx')).toEqual({ to: 'mailto:hola@vaiven.mx', newTab: false })
  })
})
