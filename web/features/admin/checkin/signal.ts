/** What a scan sounds and feels like: who holds the device looks at people, not at the screen. */
import type { CheckinResult } from '#contract/front-desk.ts'

export type Signal = 'good' | 'attention' | 'bad'

export const signalOf = (result: CheckinResult): Signal =>
  result === 'ok' ? 'good' : result === 'cancelled' || result === 'not_found' ? 'bad' : 'attention'

/** Tones in Hz, one after the other. */
const TONES: Record<Signal, readonly number[]> = { good: [880, 1320], attention: [660, 660], bad: [220] }
const VIBRATIONS: Record<Signal, number[]> = { good: [80], attention: [80, 60, 80], bad: [320] }
const TONE_SECONDS = 0.12

let audio: AudioContext | null = null

/** Plays and vibrates; a device that can do neither stays quiet. */
export function signal(kind: Signal, sound: boolean): void {
  navigator.vibrate?.(VIBRATIONS[kind])
  if (!sound || !('AudioContext' in window)) return
  audio ??= new AudioContext()
  // A context that was made before the first touch waits for one.
  void audio.resume()
  for (const [n, frequency] of TONES[kind].entries()) {
    const tone = audio.createOscillator()
    const volume = audio.createGain()
    const from = audio.currentTime + n * TONE_SECONDS
    tone.frequency.value = frequency
    volume.gain.setValueAtTime(0.18, from)
    volume.gain.exponentialRampToValueAtTime(0.001, from + TONE_SECONDS)
    tone.connect(volume).connect(audio.destination)
    tone.start(from)
    tone.stop(from + TONE_SECONDS)
  }
}

const KEY = 'estudio:escanear:sonido'

/** Whether this device makes a sound. */
export function isSoundOn(): boolean {
  try {
    return localStorage.getItem(KEY) !== 'no'
  } catch {
    return true
  }
}

export function storeSound(on: boolean): void {
  try {
    localStorage.setItem(KEY, on ? 'si' : 'no')
  } catch {
    // A device that stores nothing forgets it with the page.
  }
}
