/** Sound and vibration of a scan, because staff watch the customer and not the screen. */
import type { CheckinResult } from '#contract/front-desk.ts'

export type Signal = 'good' | 'attention' | 'bad'

/** The signal for a result: good for a check-in, bad for cancelled and unknown codes, attention for the rest. */
export const signalOf = (result: CheckinResult): Signal =>
  result === 'ok' ? 'good' : result === 'cancelled' || result === 'not_found' ? 'bad' : 'attention'

/** Frequencies in Hz, played one after the other. */
const TONES: Record<Signal, readonly number[]> = { good: [880, 1320], attention: [660, 660], bad: [220] }
const VIBRATIONS: Record<Signal, number[]> = { good: [80], attention: [80, 60, 80], bad: [320] }
const TONE_SECONDS = 0.12

let audio: AudioContext | null = null

/** Plays the sound and vibrates, as far as the device can. */
export function playSignal(kind: Signal, sound: boolean): void {
  navigator.vibrate?.(VIBRATIONS[kind])
  if (!sound || !('AudioContext' in window)) return
  audio ??= new AudioContext()
  // A context created before the first user gesture is suspended.
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

/** Whether sound is on; stored on this device. */
export function isSoundOn(): boolean {
  try {
    return localStorage.getItem(KEY) !== 'no'
  } catch {
    return true
  }
}

/** Stores on this device whether sound is on. */
export function storeSound(on: boolean): void {
  try {
    localStorage.setItem(KEY, on ? 'si' : 'no')
  } catch {
    // Without storage the choice lasts as long as the page.
  }
}
