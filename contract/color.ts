/**
 * Colour: a studio's six colour settings become the colour roles of the whole product. Pure arithmetic on sRGB, so that the server (first
 * paint, drawings), the browser (preview in Ajustes) and the tests compute the same shades.
 */

/** A colour as "#rrggbb". */
export type Hex = string

export type ThemeMode = 'dia' | 'noche'
export type ThemeShape = 'recta' | 'suave' | 'redonda'
export type ThemeVoice = 'ancha' | 'normal' | 'condensada'

/** The nine settings that define a studio's look; `settings.read()` can be passed as it is (spec 1 section 3, settled 31). */
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

/** Linear interpolation from `a` to `b` by `share` (0 to 1). */
export function mixColours(a: Hex, b: Hex, share: number): Hex {
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

/** Lightness of OKLab, 0 to 1, independent of the hue. */
export function lightness(hex: Hex): number {
  const [r = 0, g = 0, b = 0] = channels(hex).map((value) => {
    const unit = value / 255
    return unit <= 0.04045 ? unit / 12.92 : ((unit + 0.055) / 1.055) ** 2.4
  })
  const [l, m, s] = [
    0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b,
    0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b,
    0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b,
  ].map(Math.cbrt) as [number, number, number]
  return 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s
}

/** Contrast ratio of WCAG 2 between two colours, 1 to 21. */
export function contrast(a: Hex, b: Hex): number {
  const [x, y] = [luminance(a), luminance(b)]
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05)
}

/** Black or white, whichever has more contrast on this colour (at least 4.58). */
const farEnd = (ground: Hex): Hex => (contrast(WHITE, ground) >= contrast(BLACK, ground) ? WHITE : BLACK)

const STEPS = 40
const towards = (from: Hex, to: Hex, enough: (colour: Hex) => boolean): Hex => {
  for (let step = 0; step <= STEPS; step++) {
    const colour = mixColours(from, to, step / STEPS)
    if (enough(colour)) return colour
  }
  return to
}

/**
 * Moves a colour towards black or white until it reaches the contrast `ratio` on every background. The backgrounds must be all light or all
 * dark; returns black or white when no other colour suffices.
 */
export function ensureContrast(colour: Hex, grounds: readonly Hex[], ratio: number): Hex {
  return towards(colour, farEnd(grounds[0] ?? WHITE), (tried) => grounds.every((ground) => contrast(tried, ground) >= ratio))
}

/** Moves a background away from its text colour (black or white) until the text reaches the contrast `ratio`. */
const makeRoom = (ground: Hex, text: typeof BLACK | typeof WHITE, ratio: number): Hex =>
  towards(ground, text === BLACK ? WHITE : BLACK, (tried) => contrast(tried, text) >= ratio)

/** The text colour on a brand colour: the studio's light colour, white, its dark colour or black; the first that reaches 4.5. */
export function textColourOn(ground: Hex, theme: Pick<Theme, 'dark' | 'light'>): Hex {
  return [theme.light, WHITE, theme.dark].find((colour) => contrast(colour, ground) >= 4.5) ?? BLACK
}

/**
 * How a colour of its own marks something on a page, such as a class on the timetable: the colour as background, its text, and an edge that
 * contrasts with every surface (WCAG 1.4.11): the colour itself, or a tone of it where it is as light or as dark as the page.
 */
export function toMarkColours(colour: Hex, theme: Theme): { ground: Hex; ink: Hex; edge: Hex } {
  const { canvas, paper, sunk } = tokens(theme)
  return { ground: colour, ink: textColourOn(colour, theme), edge: ensureContrast(colour, [canvas, paper, sunk], 3.1) }
}

/** A text colour mixed with its background as far as a contrast of 4.5 allows. */
const quieter = (text: Hex, ground: Hex, share: number): Hex =>
  towards(mixColours(ground, text, share), text, (tried) => contrast(tried, ground) >= 4.5)

/** A primary that is lighter stays light as a stage: darkened, yellow would become olive and pink plum. */
const LIGHT_PRIMARY = 0.72

const shapes = {
  recta: { control: '3px', card: '4px', sheet: '6px', small: '3px', input: '3px' },
  suave: { control: '12px', card: '18px', sheet: '24px', small: '8px', input: '12px' },
  redonda: { control: '999px', card: '22px', sheet: '30px', small: '12px', input: '14px' },
} as const

/** Widths of Archivo. `size` multiplies t0 to t4: condensed letters are set larger. */
const voices = {
  ancha: { width: '117%', weight: '620', track: '-.028em', transform: 'none', line: '1.02', size: '1' },
  normal: { width: '100%', weight: '660', track: '-.022em', transform: 'none', line: '1.04', size: '1.04' },
  condensada: { width: '70%', weight: '780', track: '-.002em', transform: 'uppercase', line: '.98', size: '1.28' },
} as const

/** Every role with its value: colours as "#rrggbb", radii, and the title font's settings. */
export type Tokens = ReturnType<typeof tokens>

/**
 * The colour roles of a studio. For any six colours every pair of `promises` reaches its contrast: a background without enough contrast is
 * moved first, then the text. Where nothing has to move, the studio's own colours are returned unchanged.
 */
export function tokens(theme: Theme) {
  const { primary, accent, dark, gray, light } = theme
  const night = theme.theme_mode === 'noche'
  const text = night ? WHITE : BLACK
  const room = (ground: Hex, ratio = 7.2): Hex => makeRoom(ground, text, ratio)

  const canvas = room(night ? dark : light)
  const paper = room(night ? mixColours(dark, light, 0.065) : mixColours(light, WHITE, 0.78))
  const sunk = room(night ? mixColours(dark, BLACK, 0.35) : mixColours(light, dark, 0.045))
  const soft = room(night ? mixColours(dark, primary, 0.22) : theme['primary-light'])
  const accentSoft = room(night ? mixColours(dark, accent, 0.2) : mixColours(paper, accent, 0.2))
  const surfaces = [canvas, paper, sunk]
  const ink = ensureContrast(night ? light : dark, surfaces, 7)

  const onBrand = textColourOn(primary, theme)
  const onAccent = textColourOn(accent, theme)
  const hover = mixColours(primary, night ? light : dark, 0.16)
  const readableHover =
    contrast(onBrand, hover) >= 4.5 ? hover : mixColours(primary, luminance(onBrand) > luminance(primary) ? BLACK : WHITE, 0.16)
  const brandInk = ensureContrast(primary, [canvas, paper, sunk, soft], 4.6)

  // The edge or the filled part of a control (WCAG 1.4.11): primary itself where it contrasts with every surface.
  const brandShape = ensureContrast(primary, [canvas, paper, sunk, soft], 3.1)

  // Drawings are bright lines on a dark background: primary is darkened until white text reaches 6.5 on it. A light primary is the
  // background itself, with dark text and dark drawings.
  const isLight = !night && lightness(primary) > LIGHT_PRIMARY
  const deep = night
    ? mixColours(dark, BLACK, 0.3)
    : towards(mixColours(primary, dark, 0.34), dark, (tried) => contrast(WHITE, tried) >= 6.5)
  const stage = isLight ? makeRoom(primary, BLACK, 8) : makeRoom(deep, WHITE, 6.5)
  const onStage = isLight ? ensureContrast(dark, [stage], 6.5) : WHITE

  const action = isLight ? onStage : night ? primary : accent

  const okSoft = room(mixColours(paper, '#12A06A', night ? 0.22 : 0.14), 5)
  const dangerSoft = room(mixColours(paper, night ? '#FF4D6D' : '#D93636', night ? 0.2 : 0.11), 5)
  const warnSoft = room(mixColours(paper, '#E0A100', night ? 0.2 : 0.18), 5)
  const shape = shapes[theme.theme_shape]
  const voice = voices[theme.theme_voice]

  return {
    canvas,
    paper,
    sunk,
    ink,
    'ink-2': ensureContrast(mixColours(gray, ink, 0.12), surfaces, 4.7),
    line: mixColours(canvas, ink, night ? 0.16 : 0.11),
    'line-2': mixColours(canvas, ink, night ? 0.3 : 0.24),
    'line-3': ensureContrast(gray, surfaces, 3.1),
    brand: primary,
    'brand-shape': brandShape,
    'on-brand': onBrand,
    'on-brand-2': quieter(onBrand, primary, 0.84),
    'brand-hover': readableHover,
    'brand-ink': brandInk,
    'brand-soft': soft,
    'on-brand-soft': ensureContrast(mixColours(primary, ink, 0.5), [soft], 7),
    accent,
    'on-accent': onAccent,
    'on-accent-2': quieter(onAccent, accent, 0.82),
    'accent-ink': ensureContrast(accent, [canvas, paper, accentSoft], 4.6),
    'accent-soft': accentSoft,
    'on-accent-soft-2': ensureContrast(mixColours(accentSoft, ink, 0.82), [accentSoft], 4.7),
    stage,
    'on-stage': onStage,
    'on-stage-2': ensureContrast(mixColours(stage, onStage, 0.66), [stage], 4.6),
    'stage-line': mixColours(stage, onStage, 0.2),
    'stage-action': action,
    'stage-shape': ensureContrast(action, [stage], 3.1),
    'on-stage-action': textColourOn(action, theme),
    ok: ensureContrast(night ? '#5CC79B' : '#12805A', [paper, canvas, okSoft], 4.6),
    'ok-soft': okSoft,
    danger: ensureContrast(night ? '#FF6F86' : '#C32B2B', [paper, canvas, dangerSoft], 4.6),
    'danger-soft': dangerSoft,
    warn: ensureContrast(night ? '#E8B84A' : '#8A5B00', [paper, canvas, warnSoft], 4.6),
    'warn-soft': warnSoft,
    shadow: night
      ? `0 0 0 1px ${mixColours(canvas, ink, 0.16)},0 24px 64px rgba(0,0,0,.6)`
      : `0 1px 2px ${ink}0f,0 24px 64px -12px ${ink}47`,
    overlay: mixColours(dark, BLACK, 0.25),
    'avatar-ground': night ? mixColours(dark, light, 0.4) : stage,
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

/** [foreground, background, ratio] that every theme meets (WCAG 2 AA: 4.5 for text, 3 for controls). */
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

/** The six colours that a studio chooses. */
export const COLOUR_KEYS = ['primary', 'accent', 'dark', 'gray', 'light', 'primary-light'] as const
export type ColourKey = (typeof COLOUR_KEYS)[number]

/** How one of the six colours is used, and its replacement where the contrast would be too low. */
export interface ColourUse {
  key: ColourKey
  /** The colour as it is used, and the colour that is read with it. */
  used: Hex
  with: Hex
  /** Contrast of these two, rounded down to a tenth: what is promised. */
  ratio: number
  /** The tone that replaces the studio's own as text or as background; null: the own one is used everywhere. */
  replaced: { by: Hex; as: 'text' | 'ground'; ratio: number } | null
}

const tenth = (ratio: number): number => Math.floor(ratio * 10) / 10
const isSame = (a: Hex, b: Hex): boolean => a.toLowerCase() === b.toLowerCase()

/** How each of the six colours is used by a theme, from the roles of `tokens`: the contrasts of the editor are those of the pages. */
export function colourUses(theme: Theme): ColourUse[] {
  const roles = tokens(theme)
  const night = theme.theme_mode === 'noche'
  const surfaces = [roles.canvas, roles.paper, roles.sunk]
  const worst = (text: Hex, grounds: readonly Hex[]) => tenth(Math.min(...grounds.map((ground) => contrast(text, ground))))
  const use = (key: ColourKey, used: Hex, text: Hex, replaced: ColourUse['replaced']): ColourUse => {
    return { key, used, with: text, ratio: tenth(contrast(used, text)), replaced }
  }
  const asText = (own: Hex, by: Hex, grounds: readonly Hex[]): ColourUse['replaced'] =>
    isSame(own, by) ? null : { by, as: 'text', ratio: worst(own, grounds) }
  const asGround = (own: Hex, by: Hex, text: Hex): ColourUse['replaced'] =>
    isSame(own, by) ? null : { by, as: 'ground', ratio: tenth(contrast(own, text)) }
  const text = (key: 'dark' | 'light') => use(key, roles.ink, roles.canvas, asText(theme[key], roles.ink, surfaces))
  const ground = (key: 'dark' | 'light') => use(key, roles.canvas, roles.ink, asGround(theme[key], roles.canvas, roles.ink))
  const gray = asText(theme.gray, roles['ink-2'], [roles.canvas, roles.paper])
  return [
    use('primary', roles.brand, roles['on-brand'], asText(theme.primary, roles['brand-ink'], [...surfaces, roles['brand-soft']])),
    use('accent', roles.accent, roles['on-accent'], asText(theme.accent, roles['accent-ink'], [roles.canvas, roles.paper])),
    night ? ground('dark') : text('dark'),
    // Secondary text is always a little darker than the studio's gray; only one that could not be read counts as replaced.
    use('gray', roles['ink-2'], roles.canvas, gray && gray.ratio < 4.5 ? gray : null),
    night ? text('light') : ground('light'),
    use(
      'primary-light',
      roles['brand-soft'],
      roles['on-brand-soft'],
      night ? null : asGround(theme['primary-light'], roles['brand-soft'], roles['on-brand-soft']),
    ),
  ]
}

/** The CSS declarations of a theme, for a `style` attribute or a rule: "--canvas:#F6F4EE;--paper:…". */
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

/** The same six colours for the administration: always `dia`, `suave`, `normal`. */
export const adminTheme = (theme: Theme): Theme => ({ ...theme, theme_mode: 'dia', theme_shape: 'suave', theme_voice: 'normal' })

/** How much of the brand colour each step of a heat map contains, from few to full. */
const HEAT_SHARES = [0.04, 0.16, 0.28, 0.8, 1] as const

/** The steps of a heat map: the brand colour on paper, each with the first text colour that reaches 4.5 on it. */
export function heatSteps(theme: Theme): { ground: Hex; text: Hex }[] {
  const { paper, ink, brand } = tokens(theme)
  return HEAT_SHARES.map((share) => {
    const ground = mixColours(paper, brand, share)
    return { ground, text: contrast(ink, ground) >= 4.5 ? ink : textColourOn(ground, theme) }
  })
}

/**
 * The rule in the <head> of the administration: the roles of `adminTheme` and the steps of its heat maps, "--heat-0" and "--on-heat-0"
 * to 4.
 */
export function adminCss(theme: Theme): string {
  const admin = adminTheme(theme)
  const steps = heatSteps(admin).map(({ ground, text }, at) => `--heat-${at}:${ground};--on-heat-${at}:${text}`)
  return `${themeCss(admin)}\n:root{${steps.join(';')}}`
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
