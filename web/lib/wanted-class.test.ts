import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { forgetWantedClass, type NotedClass, noteWantedClass, readWantedClass, wantedOnWire, wantedPath } from './wanted-class.ts'

const cls: NotedClass = {
  single_class_id: 454,
  day: '2026-11-26',
  spot: '2-3',
  with_guest: true,
  name: 'Barre con Ximena',
  class_date: '2026-11-26T18:00:00.000Z',
}
const stored = new Map<string, string>()
beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-26T18:00:00Z') })
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  stored.clear()
})

it('a noted class is forgotten after three hours, and on request', () => {
  noteWantedClass(cls)
  expect(readWantedClass()).toEqual(cls)
  vi.advanceTimersByTime(2 * 3_600_000)
  expect(readWantedClass()).toEqual(cls)
  vi.advanceTimersByTime(3_600_001)
  expect(readWantedClass()).toBeNull()
  noteWantedClass(cls)
  forgetWantedClass()
  expect(readWantedClass()).toBeNull()
})

it('whatever else is in the storage counts as nothing, and a blocked storage too', () => {
  for (const other of ['{', '7', '{"until":9e15}', 'null']) {
    stored.set('estudio:clase', other)
    expect(readWantedClass()).toBeNull()
  }
  vi.stubGlobal('localStorage', undefined)
  noteWantedClass(cls)
  forgetWantedClass()
  expect(readWantedClass()).toBeNull()
})

it('the address opens the dialog with seat, guest and the paid order', () => {
  expect(wantedPath(cls, 1003)).toBe('/mystudio?dia=2026-11-26&clase=454&sitio=2-3&con_invitado=1&pagado=1003')
  expect(wantedPath({ ...cls, spot: null, with_guest: false })).toBe('/mystudio?dia=2026-11-26&clase=454')
  expect(wantedOnWire(cls)).toEqual({ single_class_id: 454, day: '2026-11-26', spot: '2-3', with_guest: true })
})
