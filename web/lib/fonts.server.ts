/**
 * The letters of a document: files from our own server, chosen by the setting `theme_fonts`. On the server only, so that the addresses of
 * the other pairings are in no script. Digits of every text font have one width (`tnum`); a test checks that, their size and their
 * Spanish letters.
 */
import archivo from '@fontsource-variable/archivo/files/archivo-latin-wdth-normal.woff2?url'
import atkinson from '@fontsource-variable/atkinson-hyperlegible-next/files/atkinson-hyperlegible-next-latin-wght-normal.woff2?url'
import bricolage from '@fontsource-variable/bricolage-grotesque/files/bricolage-grotesque-latin-wght-normal.woff2?url'
import figtree from '@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2?url'
import instrument from '@fontsource-variable/instrument-sans/files/instrument-sans-latin-wght-normal.woff2?url'
import jost from '@fontsource-variable/jost/files/jost-latin-wght-normal.woff2?url'
import karla from '@fontsource-variable/karla/files/karla-latin-wght-normal.woff2?url'
import lora from '@fontsource-variable/lora/files/lora-latin-wght-normal.woff2?url'
import manrope from '@fontsource-variable/manrope/files/manrope-latin-wght-normal.woff2?url'
import outfit from '@fontsource-variable/outfit/files/outfit-latin-wght-normal.woff2?url'
import rubik from '@fontsource-variable/rubik/files/rubik-latin-wght-normal.woff2?url'
import sora from '@fontsource-variable/sora/files/sora-latin-wght-normal.woff2?url'
import grotesk from '@fontsource-variable/space-grotesk/files/space-grotesk-latin-wght-normal.woff2?url'
import syne from '@fontsource-variable/syne/files/syne-latin-wght-normal.woff2?url'
import work from '@fontsource-variable/work-sans/files/work-sans-latin-wght-normal.woff2?url'
import type { FontPair } from '#contract/font-pairs.ts'
import type { Settings } from '#contract/settings.ts'

interface Pair {
  title: string
  text: string
  /** Size of titles beside those in Archivo; for `condensada` too, because only Archivo has narrow letters */
  size: number
}

const PAIRS: Record<Exclude<FontPair, 'archivo'>, Pair> = {
  bricolage: { title: bricolage, text: figtree, size: 1.04 },
  sora: { title: sora, text: work, size: 0.94 },
  space: { title: grotesk, text: karla, size: 1 },
  outfit: { title: outfit, text: rubik, size: 1.04 },
  jost: { title: jost, text: instrument, size: 1.06 },
  syne: { title: syne, text: manrope, size: 0.94 },
  lora: { title: lora, text: figtree, size: 1.04 },
}

const face = (family: string, src: string): string =>
  `@font-face{font-family:${family};src:url(${src}) format("woff2");font-weight:100 900;font-display:swap}`

/**
 * The rules of a pairing other than the product's own, which is in the styles of every page. After the theme: it changes its title sizes.
 */
export function fontCss({ theme_fonts, theme_voice }: Pick<Settings, 'theme_fonts' | 'theme_voice'>): string {
  if (theme_fonts === 'archivo') return ''
  const { title, text, size } = PAIRS[theme_fonts]
  const track = theme_voice === 'condensada' ? '-.01em' : '-.022em'
  return `${face('Titulos', title)}${face('Textos', text)}:root{--font-display:Titulos,system-ui,sans-serif;--font-text:Textos,system-ui,sans-serif;--voice-width:100%;--voice-size:${size};--voice-track:${track}}`
}

/** The font files that a document loads before its styles. */
export function fontFiles({ theme_fonts }: Pick<Settings, 'theme_fonts'>): string[] {
  if (theme_fonts === 'archivo') return [archivo, atkinson]
  const { title, text } = PAIRS[theme_fonts]
  return [title, text]
}
