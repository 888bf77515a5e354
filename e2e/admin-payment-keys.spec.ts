/**
 * Ajustes › Pagos: keys that the owner types, tries and replaces; who decides where the server sets them; a studio without online
 * payments (G11).
 */
import type { Browser, Page } from '@playwright/test'
import { WALLET_KEYS } from '#contract/wallet-passes.ts'
import type { PacSandbox } from '#server/adapters/pac/sandbox/sandbox.ts'
import { STRIPE_FAKE_KEY, STRIPE_FAKE_SECRET, StripeFake } from '#server/testing/fakes/stripe.ts'
import { SW_FAKE_PASSWORD, SW_FAKE_USER, SwFake } from '#server/testing/fakes/sw.ts'
import { appleKeys, googleKeys, openPass } from '#server/testing/fakes/wallets.ts'
import { accessible } from './axe.ts'
import { type OwnStudio, ownStudio } from './own-studio.ts'
import { enter } from './studio-people.ts'
import { expect, test } from './test.ts'

const OWNER = { email: 'homero@fragua.example', password: 'fragua-dueno' }
const SERVER_KEY = 'key_del_servidor_0123ABCD'
const OTHER_KEY = 'sk_test_otraLlave0123456789WXYZ'

async function paymentsPage(browser: Browser, own: OwnStudio): Promise<Page> {
  const page = await (await browser.newContext({ baseURL: own.url })).newPage()
  await enter(page, OWNER, '/admin/ajustes/pagos')
  return page
}

const cardOf = (page: Page, name: string) =>
  page.getByRole('region', { name: 'Procesadores' }).getByRole('listitem').filter({ hasText: name })

test('keys are typed, tried, replaced and taken away; only their ending is shown', async ({ browser }) => {
  const stripe = await new StripeFake({ now: () => new Date() }).listen()
  // Nothing is stamped here: the provider's keys are tried only.
  const sw = await new SwFake({ now: () => new Date(), sat: {} as PacSandbox }).listen()
  const own = await ownStudio({ DEMO: 'fragua', REQUESTS_PER_MINUTE: '0', STRIPE_API_BASE: stripe.url, SW_API_BASE: sw.url })
  try {
    const page = await paymentsPage(browser, own)
    const card = cardOf(page, 'Stripe')
    await card.getByRole('button', { name: 'Poner llaves de Stripe' }).click()
    const dialog = page.getByRole('dialog', { name: 'Llaves de Stripe' })
    await accessible(page)
    const secret = dialog.getByLabel('Llave secreta', { exact: true })
    await expect(secret).toHaveAttribute('type', 'password')
    await secret.fill('pk_test_publica')
    await secret.press('Enter')
    await expect(secret).toHaveAttribute('aria-invalid', 'true')
    await secret.fill(STRIPE_FAKE_KEY)
    await dialog.getByLabel('Secreto de avisos', { exact: true }).fill(STRIPE_FAKE_SECRET)
    await dialog.getByRole('button', { name: 'Guardar' }).click()
    // The connection is tried at once.
    await expect(card.getByText('Respondió y aceptó la llave.')).toBeVisible()
    await expect(card).toContainText(`Llave que termina en ${STRIPE_FAKE_KEY.slice(-4)}`)
    await expect(page.getByText('El procesador de prueba está activo')).toHaveCount(0)
    await accessible(page)

    await card.getByRole('button', { name: 'Cambiar llaves de Stripe' }).click()
    await expect(secret).toHaveValue('')
    await expect(dialog).toContainText(`termina en ${STRIPE_FAKE_KEY.slice(-4)}`)
    await secret.fill(OTHER_KEY)
    await dialog.getByRole('button', { name: 'Guardar' }).click()
    await expect(card.getByText('Respondió, pero no aceptó la llave.')).toBeVisible()
    await expect(card).toContainText('Llave que termina en WXYZ')
    for (const key of [STRIPE_FAKE_KEY, STRIPE_FAKE_SECRET, OTHER_KEY]) expect(await page.content()).not.toContain(key)

    await card.getByRole('button', { name: 'Cambiar llaves de Stripe' }).click()
    for (const box of await dialog.getByRole('checkbox', { name: 'Quitar esta llave' }).all()) await box.check()
    await accessible(page)
    await dialog.getByRole('button', { name: 'Guardar' }).click()
    await expect(page.getByText('El procesador de prueba está activo')).toBeVisible()
    await expect(card.getByText('Sin configurar')).toBeVisible()
    await stampingKeys(page)
    await page.context().close()
  } finally {
    await own.close()
    await sw.close()
    await stripe.close()
  }
})

/** The keys of the provider that stamps invoices, on the same screen (FA17). */
async function stampingKeys(page: Page): Promise<void> {
  const card = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Proveedor de timbrado: SW Sapien' }) })
  await expect(card).toContainText('Ahora timbra el proveedor de prueba.')
  await card.getByRole('button', { name: 'Poner llaves de SW Sapien' }).click()
  const dialog = page.getByRole('dialog', { name: 'Llaves de SW Sapien' })
  await accessible(page)
  await dialog.getByLabel('Usuario', { exact: true }).fill(SW_FAKE_USER)
  await dialog.getByLabel('Contraseña', { exact: true }).fill(SW_FAKE_PASSWORD)
  await dialog.getByLabel('Ambiente', { exact: true }).fill('produccion')
  await dialog.getByRole('button', { name: 'Guardar' }).click()
  await expect(card.getByText('Respondió y aceptó las llaves.')).toBeVisible()
  await expect(card).toContainText('Timbra las facturas nuevas.')
  await accessible(page)
}

test('where the server sets keys or takes no cards, the screen says so and offers no field for them', async ({ browser }) => {
  const own = await ownStudio({ DEMO: 'fragua', REQUESTS_PER_MINUTE: '0', PAYMENTS: 'ninguno', CONEKTA_PRIVATE_KEY: SERVER_KEY })
  try {
    const page = await paymentsPage(browser, own)
    const processors = page.getByRole('region', { name: 'Procesadores' })
    await expect(processors).toContainText('Tu estudio no cobra con tarjeta en el sitio: recibe efectivo, terminal y transferencias.')
    await expect(processors).toContainText('El servidor decide quién cobra las tarjetas nuevas: nadie.')
    await cardOf(page, 'Conekta').getByRole('button', { name: 'Cambiar llaves de Conekta' }).click()
    const dialog = page.getByRole('dialog', { name: 'Llaves de Conekta' })
    await expect(dialog).toContainText(`Llave privada: la pone el servidor, termina en ${SERVER_KEY.slice(-4)}.`)
    await expect(dialog.getByLabel('Llave privada', { exact: true })).toHaveCount(0)
    await accessible(page)
    await page.keyboard.press('Escape')
    await wallets(page, own)
    await page.context().close()
  } finally {
    await own.close()
  }
})

/** The keys of the phones' wallets are typed on the same screen (G12), and a customer adds their place to the one of their device (R27). */
async function wallets(page: Page, own: OwnStudio): Promise<void> {
  const [apple, google] = [appleKeys({ from: new Date('2020-01-01'), to: new Date('2059-01-01') }), googleKeys()]
  await page.goto(`${own.url}/admin/ajustes/reservas`)
  const cardOfWallet = (name: string) => page.getByRole('listitem').filter({ has: page.getByRole('heading', { name, exact: true }) })
  for (const [name, keys] of [
    ['Apple Wallet', apple.keys],
    ['Billetera de Google', google.keys],
  ] as const) {
    await cardOfWallet(name)
      .getByRole('button', { name: `Poner llaves de ${name}` })
      .click()
    const dialog = page.getByRole('dialog', { name: `Llaves de ${name}` })
    await accessible(page)
    const fields: Record<string, { label: string }> = WALLET_KEYS[name === 'Apple Wallet' ? 'apple' : 'google']
    for (const [key, value] of Object.entries(keys)) await dialog.getByLabel(fields[key]?.label ?? '', { exact: true }).fill(value)
    await dialog.getByRole('button', { name: 'Guardar' }).click()
    await expect(cardOfWallet(name).getByText('Lista', { exact: true })).toBeVisible()
  }
  await accessible(page)

  await own.sql(`insert into class_reservation (customer_id, single_class_id, "createdAt", "updatedAt")
    select customer_id, (select single_class_id from single_class where "cancelledAt" is null and class_package_id is null and taken + held < coalesce(capacity, 1000) and starts_at > now() + interval '1 day' order by starts_at limit 1), now(), now()
    from customer where email = 'diego@fragua.example'`)
  for (const [userAgent, name, address] of [
    ['Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X)', 'Agregar a Apple Wallet', /\/api\/pase\/.+\.pkpass$/],
    ['Mozilla/5.0 (Linux; Android 16)', 'Agregar a la Billetera de Google', /^https:\/\/pay\.google\.com\/gp\/v\/save\//],
  ] as const) {
    const phone = await (await page.context().browser()?.newContext({ baseURL: own.url, userAgent }))?.newPage()
    if (!phone) throw new Error('This browser opens no page.')
    await enter(phone, { email: 'diego@fragua.example', password: 'fragua-diego' }, '/mystudio/reservaciones')
    await phone.getByRole('button', { name: /^Código de Acceso de / }).click()
    const button = phone.getByRole('dialog').getByRole('link', { name })
    await expect(button).toHaveAttribute('href', address)
    await accessible(phone)
    if (name === 'Agregar a Apple Wallet') {
      const answer = await phone.request.get((await button.getAttribute('href')) ?? '')
      openPass(await answer.body(), { root: apple.root, now: new Date() })
    }
    await phone.context().close()
  }
}
