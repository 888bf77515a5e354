/**
 * Colour: the six settings of a studio become the roles of the whole product (design section 4). Pure arithmetic on sRGB,
 * so that the server (first paint, drawings), the browser (preview in Ajustes) and the tests agree on every shade.
 */

/** A colour as "#rrggbb". */
export type Hex = string

export type ThemeMode = 'dia' | 'noche'
export type ThemeShape = 'recta' | 'suave' | 'redonda'
export type ThemeVoice = 'ancha' | 'normal' | 'condensada'

/** The nine settings that give a studio its face; `settings.read()` fits as it is (spec 1 section 3, settled 31). */
export interface Theme {
  primary: Hex
  accent: Hex
  dark: Hex
  gray: Hex
  light: Hex
  'primary-light': Hex
  theme_mode: ThemeMode
  theme_shape: ThemeShape
  theme_voice: ThemeVoice
}

const BLACK = '#000000'
const WHITE = '#ffffff'

const channels = (hex: Hex): number[] => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16))
const hexOf = (rgb: number[]): Hex =>
  `#${rgb
    .map((value) =>
      Math.round(Math.max(0, Math.min(255, value)))
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`

/** The colour at `share` (0 to 1) of the straight way from `a` to `b`. */
export function mix(a: Hex, b: Hex, share: number): Hex {
  const to = channels(b)
  return hexOf(channels(a).map((value, at) => value + ((to[at] ?? 0) - value) * share))
}

/** Relative luminance of WCAG 2, 0 (black) to 1 (white). */
export function luminance(hex: Hex): number {
  const [r = 0, g = 0, b = 0] = channels(hex).map((value) => {
    const unit = value / 255
    return unit <= 0.03928 ? unit / 12.92 : ((unit + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** Contrast ratio of WCAG 2 between two colours, 1 to 21. */
export function contrast(a: Hex, b: Hex): number {
  const [x, y] = [luminance(a), luminance(b)]
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05)
}

/** Black or white: the one that can be read on this colour (at least 4.58, whatever the colour). */
const farEnd = (ground: Hex): Hex => (contrast(WHITE, ground) >= contrast(BLACK, ground) ? WHITE : BLACK)

const STEPS = 40
const towards = (from: Hex, to: Hex, enough: (colour: Hex) => boolean): Hex => {
  for (let step = 0; step <= STEPS; step++) {
    const colour = mix(from, to, step / STEPS)
    if (enough(colour)) return colour
  }
  return to
}

/**
 * Moves a colour towards black or white until it reaches `ratio` on every ground. The grounds must lie on the same side
 * (all light or all dark); black or white comes back when nothing before it is enough.
 */
export function ensure(colour: Hex, grounds: readonly Hex[], ratio: number): Hex {
  return towards(colour, farEnd(grounds[0] ?? WHITE), (tried) => grounds.every((ground) => contrast(tried, ground) >= ratio))
}

/** Moves a ground away from the text that will stand on it (black or white) until that text reaches `ratio`. */
const makeRoom = (ground: Hex, text: typeof BLACK | typeof WHITE, ratio: number): Hex =>
  towards(ground, text === BLACK ? WHITE : BLACK, (tried) => contrast(tried, text) >= ratio)

/** What is written on a brand colour: the studio's light, white, its dark, black; the first that reaches 4.5. */
export function on(ground: Hex, theme: Pick<Theme, 'dark' | 'light'>): Hex {
  return [theme.light, WHITE, theme.dark].find((colour) => contrast(colour, ground) >= 4.5) ?? BLACK
}

/** A text colour lowered towards its ground, as far as 4.5 allows. */
const quieter = (text: Hex, ground: Hex, share: number): Hex =>
  towards(mix(ground, text, share), text, (tried) => contrast(tried, ground) >= 4.5)

const shapes = {
  recta: { control: '3px', card: '4px', sheet: '6px', small: '3px', input: '3px' },
  suave: { control: '12px', card: '18px', sheet: '24px', small: '8px', input: '12px' },
  redonda: { control: '999px', card: '22px', sheet: '30px', small: '12px', input: '14px' },
} as const

/** One width of Archivo. `size` multiplies t0 to t4: narrow letters stand taller. */
const voices = {
  ancha: { width: '117%', weight: '620', track: '-.028em', transform: 'none', line: '1.02', size: '1' },
  normal: { width: '100%', weight: '660', track: '-.022em', transform: 'none', line: '1.04', size: '1.04' },
  condensada: { width: '70%', weight: '780', track: '-.002em', transform: 'uppercase', line: '.98', size: '1.28' },
} as const

/** Every role with its value: colours as "#rrggbb", radii, the voice of the titles (design sections 2 to 4). */
export type Tokens = ReturnType<typeof tokens>

/**
 * The roles of a studio. For any six colours every pair of `promises` holds: a ground that leaves no room for readable
 * text is moved first, then the text. Where nothing has to move, the studio's own colours come out untouched.
 */
export function tokens(theme: Theme) {
  const { primary, accent, dark, gray, light } = theme
  const night = theme.theme_mode === 'noche'
  const text = night ? WHITE : BLACK
  const room = (ground: Hex, ratio = 7.2): Hex => makeRoom(ground, text, ratio)

  const canvas = room(night ? dark : light)
  const paper = room(night ? mix(dark, light, 0.065) : mix(light, WHITE, 0.78))
  const sunk = room(night ? mix(dark, BLACK, 0.35) : mix(light, dark, 0.045))
  const soft = room(night ? mix(dark, primary, 0.22) : theme['primary-light'])
  const accentSoft = room(night ? mix(dark, accent, 0.2) : mix(paper, accent, 0.2))
  const surfaces = [canvas, paper, sunk]
  const ink = ensure(night ? light : dark, surfaces, 7)

  const onBrand = on(primary, theme)
  const onAccent = on(accent, theme)
  const hover = mix(primary, night ? light : dark, 0.16)
  const readableHover =
    contrast(onBrand, hover) >= 4.5 ? hover : mix(primary, luminance(onBrand) > luminance(primary) ? BLACK : WHITE, 0.16)
  const brandInk = ensure(primary, [canvas, paper, sunk, soft], 4.6)

  // The edge or the filled part of a control (WCAG 1.4.11): primary itself wherever it stands out from every surface.
  const brandShape = ensure(primary, [canvas, paper, sunk, soft], 3.1)

  // The drawings are bright lines on a deep ground: primary takes as much dark as white text needs.
  const deep = night ? mix(dark, BLACK, 0.3) : towards(mix(primary, dark, 0.34), dark, (tried) => contrast(WHITE, tried) >= 6.5)
  const stage = makeRoom(deep, WHITE, 6.5)

  const action = night ? primary : accent

  const okSoft = room(mix(paper, '#12A06A', night ? 0.22 : 0.14), 5)
  const dangerSoft = room(mix(paper, night ? '#FF4D6D' : '#D93636', night ? 0.2 : 0.11), 5)
  const warnSoft = room(mix(paper, '#E0A100', night ? 0.2 : 0.18), 5)
  const shape = shapes[theme.theme_shape]
  const voice = voices[theme.theme_voice]

  return {
    canvas,
    paper,
    sunk,
    ink,
    'ink-2': ensure(mix(gray, ink, 0.12), surfaces, 4.7),
    line: mix(canvas, ink, night ? 0.16 : 0.11),
    'line-2': mix(canvas, ink, night ? 0.3 : 0.24),
    'line-3': ensure(gray, surfaces, 3.1),
    brand: primary,
    'brand-shape': brandShape,
    'on-brand': onBrand,
    'on-brand-2': quieter(onBrand, primary, 0.84),
    'brand-hover': readableHover,
    'brand-ink': brandInk,
    'brand-soft': soft,
    'on-brand-soft': ensure(mix(primary, ink, 0.5), [soft], 7),
    accent,
    'on-accent': onAccent,
    'on-accent-2': quieter(onAccent, accent, 0.82),
    'accent-ink': ensure(accent, [canvas, paper, accentSoft], 4.6),
    'accent-soft': accentSoft,
    'on-accent-soft-2': ensure(mix(accentSoft, ink, 0.82), [accentSoft], 4.7),
    stage,
    'on-stage': WHITE,
    'on-stage-2': ensure(mix(stage, WHITE, 0.66), [stage], 4.6),
    'stage-line': mix(stage, WHITE, 0.2),
    'stage-action': action,
    'stage-shape': ensure(action, [stage], 3.1),
    'on-stage-action': on(action, theme),
    ok: ensure(night ? '#5CC79B' : '#12805A', [paper, canvas, okSoft], 4.6),
    'ok-soft': okSoft,
    danger: ensure(night ? '#FF6F86' : '#C32B2B', [paper, canvas, dangerSoft], 4.6),
    'danger-soft': dangerSoft,
    warn: ensure(night ? '#E8B84A' : '#8A5B00', [paper, canvas, warnSoft], 4.6),
    'warn-soft': warnSoft,
    shadow: night ? `0 0 0 1px ${mix(canvas, ink, 0.16)},0 24px 64px rgba(0,0,0,.6)` : `0 1px 2px ${ink}0f,0 24px 64px -12px ${ink}47`,
    overlay: mix(dark, BLACK, 0.25),
    'avatar-ground': night ? mix(dark, light, 0.4) : stage,
    'radius-control': shape.control,
    'radius-card': shape.card,
    'radius-sheet': shape.sheet,
    'radius-small': shape.small,
    'radius-input': shape.input,
    'voice-width': voice.width,
    'voice-weight': voice.weight,
    'voice-track': voice.track,
    'voice-transform': voice.transform,
    'voice-line': voice.line,
    'voice-size': voice.size,
  }
}

/** Text or shape, ground, ratio: what every theme keeps (WCAG 2 AA is 4.5 for text, 3 for what a control is known by). */
export const promises: readonly (readonly [keyof Tokens, keyof Tokens, number])[] = [
  ...(['canvas', 'paper', 'sunk'] as const).flatMap(
    (ground) =>
      [
        ['ink', ground, 7],
        ['ink-2', ground, 4.7],
        ['brand-ink', ground, 4.6],
        ['line-3', ground, 3.1],
        ['brand-shape', ground, 3.1],
      ] as const,
  ),
  ...(['canvas', 'paper'] as const).flatMap(
    (ground) =>
      [
        ['ok', ground, 4.6],
        ['warn', ground, 4.6],
        ['danger', ground, 4.6],
        ['accent-ink', ground, 4.6],
      ] as const,
  ),
  ['on-brand', 'brand', 4.5],
  ['on-brand-2', 'brand', 4.5],
  ['on-brand', 'brand-hover', 4.5],
  ['on-brand-soft', 'brand-soft', 7],
  ['brand-ink', 'brand-soft', 4.6],
  ['brand-shape', 'brand-soft', 3.1],
  ['on-accent', 'accent', 4.5],
  ['on-accent-2', 'accent', 4.5],
  ['accent-ink', 'accent-soft', 4.6],
  ['on-accent-soft-2', 'accent-soft', 4.6],
  ['on-stage', 'stage', 6.5],
  ['on-stage-2', 'stage', 4.6],
  ['on-stage-action', 'stage-action', 4.5],
  ['stage-shape', 'stage', 3.1],
  ['ok', 'ok-soft', 4.6],
  ['warn', 'warn-soft', 4.6],
  ['danger', 'danger-soft', 4.6],
]

/** The declarations of a theme, for `style` or a rule of our own: "--canvas:#F6F4EE;--paper:…". */
export function declarations(theme: Theme): string {
  return Object.entries(tokens(theme))
    .map(([name, value]) => `--${name}:${value}`)
    .join(';')
}

/** The rule that the server writes into <head> before first paint. Values are computed or fixed, never free text. */
export function themeCss(theme: Theme): string {
  const scheme = theme.theme_mode === 'noche' ? 'dark' : 'light'
  return `:root{color-scheme:${scheme};${declarations(theme)}}`
}

/** The same six colours as the admin area shows them: always day, `suave`, `normal` (design section 4). */
export const adminTheme = (theme: Theme): Theme => ({ ...theme, theme_mode: 'dia', theme_shape: 'suave', theme_voice: 'normal' })

/** Eight hexadecimal digits that change with any of the nine settings: the version of a drawing's address. */
export function themeHash(theme: Theme): string {
  const { primary, accent, dark, gray, light, theme_mode, theme_shape, theme_voice } = theme
  const all = [primary, accent, dark, gray, light, theme['primary-light'], theme_mode, theme_shape, theme_voice]
  return hash(all.join(' ').toLowerCase()).toString(16).padStart(8, '0')
}

/** FNV-1a, 32 bits: the same number for the same text on every machine. Not for secrets. */
export function hash(text: string): number {
  let sum = 0x811c9dc5
  for (const letter of text) sum = Math.imul(sum ^ (letter.codePointAt(0) ?? 0), 0x01000193)
  return sum >>> 0
}

/** The two studios of the mock-ups (settled 32): the demo, and the second brand of every visual test. */
export const demoBrands = {
  vaiven: {
    business_name: 'Vaivén',
    primary: '#2B36D9',
    accent: '#FFB000',
    dark: '#0F1236',
    gray: '#6B6E86',
    light: '#F6F4EE',
    'primary-light': '#DFE3FF',
    theme_mode: 'dia',
    theme_shape: 'redonda',
    theme_voice: 'ancha',
  },
  fragua: {
    business_name: 'Fragua',
    primary: '#FF5A26',
    accent: '#9BE3EA',
    dark: '#15120F',
    gray: '#8F867D',
    light: '#F3EEE6',
    'primary-light': '#FFD9C9',
    theme_mode: 'noche',
    theme_shape: 'recta',
    theme_voice: 'condensada',
  },
} as const satisfies Record<string, Theme & { business_name: string }>
