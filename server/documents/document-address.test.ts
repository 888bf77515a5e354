import { describe, expect, test } from 'vitest'
import { addresses } from './document-address.ts'

const isDay = (value: string) => /^\d{4}-\d{2}-\d{2}$/.test(value)
const table = {
  root: { id: 'root', module: {} },
  site: { id: 'site', parentId: 'root', module: {} },
  landing: { id: 'landing', parentId: 'site', index: true, module: {} },
  schedule: {
    id: 'schedule',
    parentId: 'site',
    path: 'calendario',
    module: { handle: { query: { semana: isDay, estudio: (v: string) => /^\d+$/.test(v) } } },
  },
  coach: { id: 'coach', parentId: 'site', path: 'coach/:coach_id', module: {} },
  any: { id: 'any', parentId: 'site', path: '*', module: {} },
  shell: { id: 'shell', parentId: 'root', module: { handle: { shell: true } } },
  mystudio: { id: 'mystudio', parentId: 'shell', path: 'mystudio', module: {} },
  calendar: { id: 'calendar', parentId: 'mystudio', index: true, module: {} },
  video: { id: 'video', parentId: 'mystudio', path: 'video/:video_id', module: {} },
}
const live = (path: string) => path === '/terminos' || path === '/clases'
const addressOf = addresses(table)
const key = (target: string) => addressOf(target, live)?.key ?? null

describe('document keys', () => {
  test('unknown query parameters never create another document', () => {
    expect(key('/')).toBe('/')
    expect(key('/?utm_source=x&fbclid=1')).toBe('/')
    expect(key('/coach/7?semana=2026-11-23')).toBe('/coach/7')
  })

  test('query parameters that a page reads are part of its key, in one order, with accepted values only', () => {
    expect(key('/calendario?semana=2026-11-23&x=1')).toBe('/calendario?semana=2026-11-23')
    expect(key('/calendario?semana=2026-11-23&estudio=2')).toBe(key('/calendario?estudio=2&semana=2026-11-23'))
    expect(key('/calendario?semana=<script>')).toBe('/calendario')
    expect(key(`/calendario?estudio=${'9'.repeat(65)}`)).toBe('/calendario')
  })

  test('a trailing slash is the same document', () => {
    expect(key('/calendario/')).toBe('/calendario')
    expect(key('/calendario///')).toBe('/calendario')
  })

  test('another spelling of fixed path segments is the same document; parameters stay as sent', () => {
    expect(key('/Calendario')).toBe('/calendario')
    expect(key('/%63alendario.data')).toBe('/calendario.data')
    expect(key('/COACH/%41na')).toBe('/coach/%41na')
    expect(key('/MyStudio/Video/7')).toBe('/mystudio/video/:video_id')
    expect(key('/Terminos')).toBe('/*')
  })

  test('all unmatched paths are one document (S1-2.02)', () => {
    expect(key('/no-existe')).toBe('/*')
    expect(key('/no/existe/nada?x=1')).toBe('/*')
    expect(key('/no-existe.data')).toBe('/*.data')
  })

  test('content pages and the configured packages path have their own documents (S1-2.20, S1-2.24)', () => {
    expect(key('/terminos')).toBe('/terminos')
    expect(key('/clases')).toBe('/clases')
  })

  test('a shell is one document whatever its parameters', () => {
    expect(key('/mystudio/video/7')).toBe('/mystudio/video/:video_id')
    expect(key('/mystudio/video/8?t=1')).toBe('/mystudio/video/:video_id')
    expect(key('/mystudio')).toBe('/mystudio')
  })

  test('page data has its own key; only existing routes can be requested', () => {
    expect(key('/_.data')).toBe('/_.data')
    expect(key('/calendario.data?_routes=schedule')).toBe('/calendario.data?_routes=schedule')
    expect(key('/calendario.data?_routes=schedule,site')).toBe(key('/calendario.data?_routes=site,schedule,site'))
    expect(key('/calendario.data?_routes=evil')).toBe('/calendario.data')
  })

  test('other URLs have no document', () => {
    for (const target of ['//evil.mx', '/wp-login.php', '/.env', '/a\\b', '/a b', 'x', '', `/${'a'.repeat(600)}`, '/no/favicon.ico'])
      expect(key(target)).toBeNull()
  })

  test('the key itself is rendered, so that no request can poison another’s document', () => {
    for (const target of ['/nada', '/calendario?x=1', '/mystudio/video/7']) {
      const address = addressOf(target, live)
      expect(address?.url).toBe(address?.key)
    }
  })
})
