import { expect, test } from 'vitest'
import { pressPlayerKey } from './player-keys.ts'

const film = () => {
  const it = {
    paused: true,
    currentTime: 50,
    duration: 100,
    muted: false,
    playbackRate: 1,
    textTracks: [{ mode: 'disabled' as TextTrackMode }],
    play: async () => {
      it.paused = false
    },
    pause: () => {
      it.paused = true
    },
    requestFullscreen: async () => {
      it.ownerDocument.fullscreenElement = it as unknown as Element
    },
    ownerDocument: {
      fullscreenElement: null as Element | null,
      exitFullscreen: async () => {
        it.ownerDocument.fullscreenElement = null
      },
    },
  }
  return it
}

test('the keys of the player', () => {
  const it = film()
  expect(pressPlayerKey(it, 'k')).toBe(true)
  expect(it.paused).toBe(false)
  pressPlayerKey(it, 'K')
  expect(it.paused).toBe(true)
  pressPlayerKey(it, 'j')
  expect(it.currentTime).toBe(40)
  pressPlayerKey(it, 'l')
  expect(it.currentTime).toBe(50)
  pressPlayerKey(it, '9')
  pressPlayerKey(it, 'l')
  expect(it.currentTime).toBe(100)
  pressPlayerKey(it, '0')
  pressPlayerKey(it, 'j')
  expect(it.currentTime).toBe(0)
  pressPlayerKey(it, 'm')
  expect(it.muted).toBe(true)
  pressPlayerKey(it, 'f')
  expect(it.ownerDocument.fullscreenElement).toBe(it)
  pressPlayerKey(it, 'F')
  expect(it.ownerDocument.fullscreenElement).toBeNull()
  pressPlayerKey(it, 'c')
  expect(it.textTracks[0]?.mode).toBe('showing')
  pressPlayerKey(it, 'c')
  expect(it.textTracks[0]?.mode).toBe('hidden')
  for (let i = 0; i < 9; i++) pressPlayerKey(it, '>')
  expect(it.playbackRate).toBe(2)
  for (let i = 0; i < 9; i++) pressPlayerKey(it, '<')
  expect(it.playbackRate).toBe(0.5)
  // Keys of the browser's own controls, and all others, stay theirs.
  for (const key of [' ', 'ArrowLeft', 'Tab', 'Escape', 'a', 'F5']) expect(pressPlayerKey(it, key)).toBe(false)
})
