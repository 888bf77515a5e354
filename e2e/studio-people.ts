/** Customers, staff and classes of the shared studio, created through its API: each test has its own, so that tests do not interfere. */
import { randomUUID } from 'node:crypto'
import type { APIRequestContext, Page } from '@playwright/test'
import { IDENTITY_API_KEY, IDENTITY_PATH } from '#contract/identity.ts'
import { addDays, wallClock } from '#contract/time.ts'
import { KNOWN_DEVICE, STORED_TOKEN } from '#web/lib/session.ts'
import { SIGNED_IN } from '#web/lib/session-hint.ts'
import { inDatabase } from './studio-database.ts'
import { expect, test } from './test.ts'

export const PASSWORD = 'olas-y-montes-7'

/** Calls the API as one person; a refusal fails the test. */
export type Call = <T = Record<string, never>>(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object) => Promise<T>

export interface Person {
  email: string
  customer_id: number
  call: Call
}

async function identity(request: APIRequestContext, verb: string, email: string, password: string) {
  const answer = await request.post(`${IDENTITY_PATH}/v1/accounts:${verb}?key=${IDENTITY_API_KEY}`, {
    data: { email, password, returnSecureToken: true },
  })
  expect(answer.ok(), `${verb} ${email}`).toBe(true)
  return (await answer.json()) as { idToken: string; refreshToken: string; expiresIn: string; localId: string }
}

const callerOf =
  (request: APIRequestContext, token: string): Call =>
  async (method, path, body) => {
    const answer = await request.fetch(`/api${path}`, {
      method,
      headers: { authorization: `Bearer ${token}` },
      ...(body ? { data: body } : {}),
    })
    expect(answer.ok(), `${method} ${path}: ${answer.ok() ? '' : await answer.text()}`).toBe(true)
    return await answer.json()
  }

/** The API as the demo's owner, manager or reception. */
export async function staff(request: APIRequestContext, role: 'owner' | 'manager' | 'reception'): Promise<Call> {
  const [email, password] = {
    owner: ['monica@vaiven.example', 'vaiven-duena'],
    manager: ['gerencia@vaiven.example', 'vaiven-gerencia'],
    reception: ['recepcion@vaiven.example', 'vaiven-recepcion'],
  }[role] as [string, string]
  return callerOf(request, (await identity(request, 'signInWithPassword', email, password)).idToken)
}

let people = 0
/** A new customer with a number of credits from reception. */
export async function customer(request: APIRequestContext, name: string, credits: number): Promise<Person> {
  const id = `${Date.now()}${test.info().workerIndex}${++people}`
  const email = `${name.toLowerCase()}.${id}@correo.test`
  const { idToken, localId } = await identity(request, 'signUp', email, PASSWORD)
  const call = callerOf(request, idToken)
  const { pages } = await call<{ pages: { page_id: number }[] }>('GET', '/pages')
  const answer = await call<{ customer: { customer_id: number } }>('POST', '/customer/signup', {
    uid: localId,
    name,
    last_name: 'Mar Olmos',
    phone: `44${id.slice(-8)}`,
    accepted_pages: pages.map(({ page_id }) => page_id),
  })
  const { customer_id } = answer.customer
  if (credits) await give(request, customer_id, credits)
  return { email, customer_id, call }
}

/** Gives credits as reception: valid for every class type, for a year. */
async function give(request: APIRequestContext, customer_id: number, credits: number): Promise<void> {
  const reception = await staff(request, 'reception')
  await reception('POST', '/available_classes', {
    customer_id,
    available_classes: credits,
    title: 'Regalo de prueba',
    reason: 'Para probar',
    expiration_date: addDays(today(), 300),
  })
}

/** A new manager: unpublished changes belong to a person, so a test that counts or publishes them needs its own. */
export async function planner(request: APIRequestContext, name = 'Paula Planea'): Promise<{ email: string; password: string }> {
  const email = `planea.${randomUUID().slice(0, 12)}@correo.test`
  const owner = await staff(request, 'owner')
  const { invite_url } = await owner<{ invite_url: string }>('POST', '/admin/staff', { name, email, role: 'manager' })
  await identity(request, 'signUp', email, PASSWORD)
  // An invitation is accepted with a confirmed address, which the token of a new sign-in states.
  await inDatabase((client) => client.query('update identity_account set email_verified = true where email = $1', [email]))
  const accept = callerOf(request, (await identity(request, 'signInWithPassword', email, PASSWORD)).idToken)
  await accept('POST', `/staff_invite/${invite_url.split('/').at(-1)}/accept`, {})
  return { email, password: PASSWORD }
}

/** Today in the studio's time zone. */
export const today = (): string => new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Mexico_City' }).format(new Date())

/** The date some days from today. */
export const ahead = (days: number): string => addDays(today(), days)

/** Date and hour in the studio's time zone, some minutes from now. */
export function inMinutes(minutes: number): { day: string; hour: string } {
  const wall = wallClock(new Date(Date.now() + minutes * 60_000), 'America/Mexico_City').toISOString()
  return { day: wall.slice(0, 10), hour: wall.slice(11, 16) }
}

/**
 * The first minute after so many at which no class begins yet, for screens that name a class by its hour: other tests make classes, too.
 */
export async function freeMinute(request: APIRequestContext, minutes: number): Promise<{ day: string; hour: string }> {
  const owner = await staff(request, 'owner')
  for (let later = minutes; ; later++) {
    const { day, hour } = inMinutes(later)
    const { days } = await owner<{ days: { classes: { class_date: string }[] }[] }>(
      'GET',
      `/single_class?start_date=${day}&end_date=${day}`,
    )
    if (!days.some(({ classes }) => classes.some(({ class_date }) => class_date.slice(11, 16) === hour))) return { day, hour }
  }
}

/** Creates a class, in Roma Norte unless another location is named; returns its id, or one per week. */
export async function classOn(
  request: APIRequestContext,
  input: { day: string; hour: string; type?: string; place?: string; capacity?: number; spot_map?: string | null; repeat_until?: string },
): Promise<number[]> {
  const owner = await staff(request, 'owner')
  const [{ class_types }, { locations }, { instructors }] = await Promise.all([
    owner<{ class_types: { class_type_id: number; name: string }[] }>('GET', '/class_types'),
    owner<{ locations: { location_id: number; name: string }[] }>('GET', '/locations'),
    owner<{ instructors: { instructor_id: number; name: string }[] }>('GET', '/instructors'),
  ])
  const type = class_types.find(({ name }) => name === (input.type ?? 'Yin'))
  const location = locations.find(({ name }) => name === (input.place ?? 'Roma Norte'))
  const coach = instructors.find(({ name }) => name === 'Lucía')
  const answer = await owner<{ single_class_ids: number[] }>('POST', '/single_class', {
    class_type_id: type?.class_type_id,
    location_id: location?.location_id,
    instructor_ids: [coach?.instructor_id],
    class_date: `${input.day}T${input.hour}:00.000Z`,
    capacity: input.capacity ?? 12,
    spot_map: input.spot_map ?? null,
    ...(input.repeat_until ? { repeat_until: input.repeat_until } : {}),
  })
  return answer.single_class_ids
}

/** The minute of a class by project: phone and desktop run in parallel on one studio, so each has hours of its own. */
export const hourOf = (h: string, isMobile: boolean): string => `${h}:${isMobile ? '05' : '35'}`

/** The card of a class by its hour and the day of the month. */
export const cardOf = (page: Page, at: string, day: string) =>
  page.getByRole('article', { name: new RegExp(`\\b${Number(day.slice(8))}, ${at}`) })

/** The button that opens the reserve dialog. */
export const reserveButton = (page: Page, at: string, day: string) => cardOf(page, at, day).getByRole('button', { name: /^Reservar / })

/**
 * Signs in and opens an address of the signed-in area. The session is stored as the page stores it after its log-in form, which has tests
 * of its own (own-accounts.spec.ts): without the form each test loads one page less.
 */
export async function enter(page: Page, person: { email: string; password?: string }, to = '/mystudio'): Promise<void> {
  const { idToken, refreshToken, expiresIn, localId } = await identity(
    page.request,
    'signInWithPassword',
    person.email,
    person.password ?? PASSWORD,
  )
  const user = {
    uid: localId,
    email: person.email,
    emailVerified: false,
    isAnonymous: false,
    providerData: [],
    stsTokenManager: { refreshToken, accessToken: idToken, expirationTime: Date.now() + Number(expiresIn) * 1_000 },
    apiKey: IDENTITY_API_KEY,
    appName: '[DEFAULT]',
  }
  const stored = {
    // The key of the SDK's own persistence in localStorage.
    [`firebase:authUser:${IDENTITY_API_KEY}:[DEFAULT]`]: JSON.stringify(user),
    [STORED_TOKEN]: idToken,
    [KNOWN_DEVICE]: '1',
    [SIGNED_IN]: '1',
  }
  // A page of the same origin without scripts.
  await page.goto('/favicon.svg')
  await page.evaluate(async (entries) => {
    for (const [key, value] of entries) localStorage.setItem(key, value)
    // Where the SDK moves the user to; it would find who signed in before.
    await new Promise((resolve) => {
      indexedDB.deleteDatabase('firebaseLocalStorageDb').onsuccess = resolve
    })
  }, Object.entries(stored))
  await page.goto(to)
  await expect(page).toHaveURL(to)
}

/** Opens the filters of a list, which are behind a button on phones. */
export async function showFilters(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: /^Filtros/, expanded: false })
  if ((page.viewportSize()?.width ?? 0) <= 760) await button.click()
}

/** Opens the filters of the calendar, which on narrow screens are behind one button. */
export async function openFilters(page: Page): Promise<void> {
  const button = page.getByText(/^Filtros/)
  await expect(button).toBeAttached()
  if (await button.isVisible()) await button.click()
}
