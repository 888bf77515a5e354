import { describe, expect, test } from 'vitest'
import { type Shortcut, shortcutFor } from './shortcuts.ts'

const shortcut = (keys: string, label = keys): Shortcut => ({ keys, label, act: () => {} })
const frame = { level: 'frame' as const, shortcuts: ['g h', 'g c', 'N', '?', 'Mod+k', 'n'].map((keys) => shortcut(keys)) }
const screen = { level: 'screen' as const, shortcuts: [shortcut('n', 'screen'), shortcut('h')] }
const press = (key: string, more: { mod?: boolean; pending?: string | null } = {}) => {
  const found = shortcutFor([frame, screen], { key, mod: false, pending: null, ...more })
  return typeof found === 'string' ? found : (found?.label ?? null)
}

describe('which shortcut a key is (Z6)', () => {
  test('a shortcut is a character, with its case', () => {
    expect([press('N'), press('?'), press('x')]).toEqual(['N', '?', null])
  })
  test('the screen’s shortcut wins over the frame’s', () => {
    expect(press('n')).toBe('screen')
    expect(shortcutFor([screen, frame], { key: 'n', mod: false, pending: null })).toMatchObject({ label: 'screen' })
  })
  test('two characters in a row; the second alone is its own shortcut', () => {
    expect(press('g')).toBe('pending')
    expect(press('h', { pending: 'g' })).toBe('g h')
    expect(press('h')).toBe('h')
    expect(press('?', { pending: 'g' })).toBe('?')
  })
  test('with Ctrl or Cmd only what is declared so', () => {
    expect([press('k', { mod: true }), press('K', { mod: true }), press('n', { mod: true }), press('k')]).toEqual([
      'Mod+k',
      'Mod+k',
      null,
      null,
    ])
  })
})
