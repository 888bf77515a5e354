/**
 * The colours of a drawing, resolved: an SVG file shown through <img> cannot read the page's variables, so its background is part of its
 * address and its colours are computed here.
 */
import { contrast, ensureContrast, type Hex, mixColours, type Theme, tokens } from '#contract/color.ts'

/** The backgrounds of a drawing: a section or a tile of the page. */
export const grounds = ['stage', 'brand', 'soft', 'accent', 'paper'] as const
export type Ground = (typeof grounds)[number]

export interface Palette {
  /** the ground itself; drawings are transparent, this is for what has to differ from it */
  ground: Hex
  /** frames of the trace, and the quieter shade of the wide hero */
  line: Hex
  quiet: Hex
  /** path of hand and foot, weights */
  hot: Hex
  /** the solid body and its far limbs */
  figure: Hex
  far: Hex
  /** bust: the lit plane, the shaded plane, hair, and the clothes that this ground allows */
  skin: Hex
  shade: Hex
  hair: Hex
  /** hair on the ground of an avatar, which is lighter than a stage at night */
  avatarHair: Hex
  tops: readonly Hex[]
  /** the studio's mark */
  mark: Hex
  markHot: Hex
}

const WHITE = '#ffffff'

/** The colours of every drawing on one ground. Lines and bodies stay visible whatever six colours the studio chose. */
export function palette(theme: Theme, ground: Ground): Palette {
  const t = tokens(theme)
  const { primary, accent, dark, light } = theme
  const night = theme.theme_mode === 'noche'
  const under = { stage: t.stage, brand: t.brand, soft: t['brand-soft'], accent: t.accent, paper: t.paper }[ground]
  const seen = (colour: Hex, ratio: number): Hex => (contrast(colour, under) >= ratio ? colour : ensureContrast(colour, [under], ratio))

  const hairInk = mixColours(dark, '#000000', 0.25)
  const shade = night ? mixColours(dark, primary, 0.82) : mixColours(primary, WHITE, 0.42)
  // A light primary gives a light stage.
  const isLightStage = t['on-stage'] !== WHITE
  const bust = { skin: night ? light : WHITE, shade: seen(shade, 1.2), hair: seen(hairInk, 1.05) }
  const colours = {
    stage: isLightStage
      ? darkOn(t.stage, t['on-stage'])
      : {
          line: night ? mixColours(dark, light, 0.58) : mixColours(primary, WHITE, 0.55),
          quiet: night ? mixColours(dark, light, 0.47) : mixColours(primary, WHITE, 0.4),
          hot: night ? primary : accent,
          figure: night ? light : WHITE,
          far: night ? mixColours(dark, light, 0.62) : mixColours(primary, WHITE, 0.72),
          ...bust,
          hair: night ? t['avatar-ground'] : hairInk,
          tops: [night ? primary : accent],
          mark: WHITE,
          markHot: night ? primary : accent,
        },
    brand: {
      line: mixColours(primary, t['on-brand'], 0.5),
      quiet: mixColours(primary, t['on-brand'], 0.4),
      hot: accent,
      figure: t['on-brand'],
      far: mixColours(primary, t['on-brand'], 0.72),
      ...bust,
      tops: [accent],
      mark: t['on-brand'],
      markHot: t['on-brand'],
    },
    accent: {
      line: mixColours(accent, t['on-accent'], 0.46),
      quiet: mixColours(accent, t['on-accent'], 0.38),
      hot: primary,
      figure: t['on-accent'],
      far: mixColours(accent, t['on-accent'], 0.62),
      ...bust,
      skin: WHITE,
      shade: night ? shade : mixColours(accent, t['on-accent'], 0.34),
      tops: [primary],
      mark: t['on-accent'],
      markHot: t['on-accent'],
    },
    soft: onLight(),
    paper: onLight(),
  }[ground]

  /** Dark lines and a dark body on a light stage. */
  function darkOn(stage: Hex, ink: Hex) {
    return {
      line: mixColours(stage, ink, 0.5),
      quiet: mixColours(stage, ink, 0.4),
      hot: accent,
      figure: ink,
      far: mixColours(stage, ink, 0.66),
      ...bust,
      tops: [ink],
      mark: ink,
      markHot: ink,
    }
  }

  /** The same drawing on a quiet ground, where lines are ink and not light. */
  function onLight() {
    const soft = t['brand-soft']
    return {
      line: night ? mixColours(dark, light, 0.45) : mixColours(primary, soft, 0.28),
      quiet: night ? mixColours(dark, light, 0.45) : mixColours(primary, soft, 0.28),
      hot: night ? primary : ensureContrast(accent, [soft], 1.9),
      figure: night ? light : mixColours(primary, dark, 0.25),
      far: night ? mixColours(dark, light, 0.55) : mixColours(primary, soft, 0.42),
      skin: night ? light : WHITE,
      shade: night ? shade : mixColours(primary, soft, 0.42),
      hair: night ? hairInk : t['on-brand-soft'],
      tops: [accent, night ? light : primary],
      mark: t['brand-ink'],
      markHot: t['brand-ink'],
    }
  }

  return {
    ...colours,
    ground: under,
    avatarHair: hairInk,
    line: seen(colours.line, 1.25),
    quiet: seen(colours.quiet, 1.25),
    hot: seen(colours.hot, 1.8),
    figure: seen(colours.figure, 3),
    far: seen(colours.far, 1.5),
    tops: colours.tops.map((top) => seen(top, 1.2)),
  }
}
