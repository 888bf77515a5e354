/** Captions of an uploaded film: text in the WebVTT format (docs/domain.md, O19); without schemas, because the form of a video loads it. */

/** Maximum characters: those of about two hours of speech. */
export const CAPTIONS_MAX = 120_000

export const CAPTIONS_WRONG = 'Ese archivo no tiene subtítulos en formato WebVTT (.vtt).'

const TIMING = /^(?:\d{2,}:)?[0-5]\d:[0-5]\d\.\d{3}[ \t]+-->[ \t]+(?:\d{2,}:)?[0-5]\d:[0-5]\d\.\d{3}/m

/** Whether a text begins as WebVTT and has at least one caption with its times. */
export const isWebVtt = (text: string): boolean => /^\uFEFF?WEBVTT(?:[ \t\r\n])/.test(text) && TIMING.test(text)
