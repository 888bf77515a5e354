/**
 * No stored value breaks a public page: whatever a text, address or setting contains, written directly into the database, the pages answer
 * with their main part and execute nothing of it. A section that fails nevertheless is left out and logged, and the rest is rendered.
 */
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createORPCClient } from '@orpc/client'
import { OpenAPILink } from '@orpc/openapi-client/fetch'
import type { Page } from '@playwright/test'
import Fastify from 'fastify'
import { contract } from '#contract/index.ts'
import { defaultSettings, type SettingKey, type Settings, settingKeys } from '#contract/settings.ts'
import { providerSites } from '#server/adapters/payments/processors.ts'
import { createPages } from '#server/documents/pages.ts'
import { brandIcon } from '#server/modules/content/art/brand-icon.ts'
import { HOSTILE_TEXTS, type HostileWriter, hostileWriter, inGroups } from '#server/testing/hostile-values.ts'
import type { Client } from '#web/lib/client.ts'
import { type OwnStudio, ownStudio } from './own-studio.ts'
import { expect, test } from './test.ts'

test.describe.configure({ timeout: 900_000 })

let studio: OwnStudio
let writer: HostileWriter

test.beforeAll(async () => {
  studio = await ownStudio({ CACHE_SECONDS: '0' })
  writer = await hostileWriter(studio.database)
})
test.afterAll(async () => {
  await writer?.close()
  await studio?.close()
})

const PAGES = [
  '/',
  '/calendario',
  '/paquetes',
  '/paquetes?ver=online',
  '/avisos',
  '/ubicacion',
  '/preguntas-frecuentes',
  '/aviso-de-privacidad',
  '/coach/1',
  '/instructor/1',
  '/class_type/1',
  '/no-existe',
  '/entrar',
  '/registro',
  '/recuperar',
  '/seguridad',
  '/cuenta/accion',
  '/espera/nada',
  '/ven/nada',
  '/tarjeta/nada',
  '/pagar/nada',
  '/baja/nada',
  '/cuenta/invitacion/nada',
  '/cuenta/nuevo-estudio/nada',
  '/checkout/1',
  '/gracias/1',
  '/mystudio',
  '/mystudio/online',
  '/mystudio/video/1',
  '/mystudio/paquetes',
  '/mystudio/mensajes',
]
/** What pages load besides documents: data of client-side navigation, and files that are generated from settings. */
const FILES = [
  '/_.data',
  '/calendario.data',
  '/paquetes.data',
  '/coach/1.data',
  '/avisos.data',
  '/ubicacion.data',
  '/sitemap.xml',
  '/robots.txt',
  '/manifest.webmanifest',
  '/favicon.svg',
  '/icono.svg',
  '/sw.js',
  '/iconos/192.png',
]
/** Settings with the owner's own code, which is meant to run (S1-3.05). */
const CODES: readonly SettingKey[] = ['head', 'body']

/**
 * Everything in a document that would run or navigate although the product did not write it. Parsed with DOMParser, which executes nothing.
 */
function executable(page: Page, html: string, policy: string): Promise<string[]> {
  return page.evaluate(
    async ([text, csp]) => {
      const parsed = new DOMParser().parseFromString(text ?? '', 'text/html')
      const found: string[] = []
      // React replaces a javascript: address by one that throws an error.
      for (const element of parsed.querySelectorAll('*'))
        for (const { name, value } of element.attributes)
          if (
            name.startsWith('on') ||
            (/^[\s\p{Cc}]*(?:javascript|vbscript|data:text)/iu.test(value) &&
              /^(?:href|src|action|formaction|poster|xlink:href)$/.test(name) &&
              !value.startsWith("javascript:throw new Error('React has blocked a javascript: URL"))
          )
            found.push(`${element.localName} ${name}=${value.slice(0, 60)}`)
      for (const script of parsed.querySelectorAll('script')) {
        if (script.type === 'application/ld+json') continue
        if (script.src) {
          if (!script.getAttribute('src')?.startsWith('/assets/')) found.push(`script ${script.src}`)
          continue
        }
        const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(script.textContent ?? ''))
        const hash = btoa(String.fromCharCode(...new Uint8Array(bytes)))
        if (!csp?.includes(`'sha256-${hash}'`)) found.push(`script: ${script.textContent?.slice(0, 60)}`)
        if (/\balert\(1\)\s*$/.test(script.textContent ?? '')) found.push('a script of the stored value')
      }
      for (const foreign of parsed.querySelectorAll('base, object, embed, iframe[srcdoc], meta[http-equiv="refresh" i]'))
        found.push(foreign.outerHTML.slice(0, 80))
      return found
    },
    [html, policy],
  )
}

/** Problems of the public pages: a 5xx status, no main part, executable content. */
async function problems(page: Page): Promise<string[]> {
  const found: string[] = []
  for (const path of [...PAGES, ...FILES]) {
    const answer = await fetch(`${studio.url}${path}`)
    const html = await answer.text()
    if (answer.status >= 500) found.push(`${path} ${answer.status}`)
    else if (PAGES.includes(path)) {
      if (!/<main[ >]/.test(html)) found.push(`${path} has no main part`)
      for (const script of await executable(page, html, answer.headers.get('content-security-policy') ?? ''))
        found.push(`${path} ${script}`)
    }
  }
  return found
}

/** Opens a page for DOMParser and crypto.subtle. */
const openBlankPage = (page: Page) => page.goto(`${studio.url}/robots.txt`)

async function writeTables(text: string): Promise<void> {
  for (const table of writer.tables) await writer.write(table, text)
  await studio.resync()
}
async function restoreTables(): Promise<void> {
  for (const table of writer.tables) await writer.restore(table)
  await studio.resync()
}

test('every public page answers before anything hostile is stored', async ({ page }) => {
  await openBlankPage(page)
  expect(await problems(page)).toEqual([])
})

test('a half-typed address in any table breaks no public page', async ({ page }) => {
  await openBlankPage(page)
  const broken: Record<string, string[]> = {}
  for (const tables of inGroups(writer.tables)) {
    for (const table of tables) await writer.write(table, 'https://[')
    await studio.resync()
    const found = await problems(page)
    if (found.length) broken[tables.map(({ name }) => name).join(', ')] = found
    for (const table of tables) await writer.restore(table)
  }
  await studio.resync()
  expect(broken).toEqual({})
})

test('a hostile text in every column of every table breaks no public page and executes nothing', async ({ page }) => {
  await openBlankPage(page)
  for (const text of HOSTILE_TEXTS) {
    await writeTables(text)
    expect.soft(await problems(page), JSON.stringify(text.slice(0, 30))).toEqual([])
    await restoreTables()
  }
})

test('hostile settings break no public page and execute nothing', async ({ page }) => {
  await openBlankPage(page)
  const before = await studio.sql<{ key: SettingKey; value: unknown }>('select key, value from setting')
  const keys = settingKeys.filter((key) => !CODES.includes(key))
  for (const value of [...HOSTILE_TEXTS, 0, -1, 1e9, null, [], {}, [{}], true]) {
    await studio.set(Object.fromEntries(keys.map((key) => [key, value])) as Partial<Settings>)
    expect.soft(await problems(page), JSON.stringify(value)?.slice(0, 30)).toEqual([])
  }
  await studio.sql('delete from setting')
  await studio.set(Object.fromEntries(before.map(({ key, value }) => [key, value])) as Partial<Settings>)
})

test('pages with hostile values hydrate in the browser, show their main part and execute nothing', async ({ page }) => {
  const failures: string[] = []
  page.on('dialog', async (dialog) => {
    failures.push(`dialog ${dialog.message()}`)
    await dialog.dismiss()
  })
  page.on('pageerror', (error) => failures.push(`${new URL(page.url()).pathname} ${error.message}`))
  for (const text of ['\u202e<script>alert(1)</script>"\'`$`', 'https://[']) {
    await writeTables(text)
    for (const path of PAGES) {
      await page.goto(`${studio.url}${path}`, { waitUntil: 'networkidle' })
      await expect(page.locator('main')).toBeVisible()
    }
    await restoreTables()
  }
  expect(failures).toEqual([])
})

test('a section that fails while the server renders is left out and logged; the rest is rendered, and the browser renders the section', async ({
  page,
}) => {
  // A copy of the real build in which the coaches section throws on the server.
  const root = await mkdtemp(join(tmpdir(), 'estudio-sections-'))
  await mkdir(join(root, 'build'))
  await cp('build/server', join(root, 'build/server'), { recursive: true })
  await symlink(join(process.cwd(), 'build/client'), join(root, 'build/client'))
  await symlink(join(process.cwd(), 'node_modules'), join(root, 'node_modules'))
  await cp('package.json', join(root, 'package.json'))
  const folder = join(root, 'build/server/assets')
  const name = (await readdir(folder)).find((file) => file.startsWith('server-build-')) ?? ''
  const code = await readFile(join(folder, name), 'utf8')
  const throwing = code.replace(/function Coaches[$\d]*\(\{ part\b[^)]*\}\) \{/, '$& throw new TypeError("a coach without a name");')
  expect(throwing).not.toBe(code)
  await writeFile(join(folder, name), throwing)

  const logged: Record<string, unknown>[] = []
  const client: Client = createORPCClient(new OpenAPILink(contract, { url: `${studio.url}/api` }))
  const sections = ['hero', 'about', 'class_types', 'coaches', 'packages', 'schedule'] as const
  const pages = await createPages({
    root,
    dev: false,
    publicUrl: studio.url,
    vendor: { name: 'Estudio', url: null },
    processors: { sites: providerSites(), open: () => [] },
    brandIcon,
    now: () => new Date(),
    client,
    settings: () => ({
      ...defaultSettings,
      ...Object.fromEntries(sections.map((key) => [`${key}_enabled`, true])),
      about_title: 'Nosotros',
    }),
    log: { error: (details, event) => logged.push({ ...details, event }) },
  })
  const app = Fastify({ serverFactory: (handler) => createServer(handler), forceCloseConnections: true })
  await pages.register(app)
  await app.listen({ port: 0, host: 'localhost' })
  try {
    const url = `http://localhost:${(app.server.address() as AddressInfo).port}`
    const answer = await fetch(url)
    const html = await answer.text()
    expect(answer.status).toBe(200)
    expect(html).not.toContain('id="coaches"')
    for (const part of ['id="portada"', 'id="nosotros"', 'id="clases"', 'id="paquetes"', 'id="horarios"', '<footer'])
      expect(html).toContain(part)
    expect(logged).toEqual([
      {
        event: 'page.section_failed',
        section: 'Coaches',
        document: '/',
        error: expect.objectContaining({ message: 'a coach without a name' }),
      },
    ])
    // The section does not throw in the browser, so the visitor sees it.
    await page.goto(url)
    await expect(page.getByRole('heading', { level: 2, name: 'Coaches' })).toBeVisible()
  } finally {
    await app.close()
    await pages.close()
    await rm(root, { recursive: true, force: true })
  }
})

test('a section that fails in the browser is left out, and the rest of the page is rendered', async ({ page }) => {
  const types = await studio.sql<{ name: string }>('select name from class_type')
  await page.goto(`${studio.url}/avisos`, { waitUntil: 'networkidle' })
  // Data of the landing page in which names of class types are numbers.
  await page.route(/\/_\.data/, async (route) => {
    const answer = await route.fetch()
    let body = await answer.text()
    for (const { name } of types) body = body.replaceAll(JSON.stringify(name), '7')
    await route.fulfill({ response: answer, body })
  })
  await page
    .getByRole('link', { name: /, inicio$/ })
    .first()
    .click()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByRole('heading', { level: 2, name: 'Coaches', exact: true })).toBeVisible()
  await expect(page.locator('#clases')).toHaveCount(0)
  await expect(page.locator('footer')).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Principal' }).first()).toBeAttached()
})
