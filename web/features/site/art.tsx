import type { CSSProperties } from 'react'
import { type Site, useSite } from '#web/lib/settings.tsx'

/** Kinds of drawings that the server renders in the studio's colours (design section 9). */
export type ArtKind = 'clase' | 'movimiento' | 'heroe' | 'coach' | 'avatar' | 'mapa' | 'rayos' | 'marca'
type ArtGround = 'stage' | 'brand' | 'soft' | 'accent' | 'paper'

interface Drawing {
  kind: ArtKind
  /** determines the drawing: `slug(name)`, with an id where two could have the same name */
  seed: string
  /** the background it is shown on */
  ground?: ArtGround | undefined
  /** fills its box like a photo; otherwise it is aligned to the lower edge */
  fills?: boolean
  /** without a floor line, because the page draws it */
  floorless?: boolean
  /** number of figures, 1 to 8: one per class of the package */
  bodies?: number | undefined
}

/** A name in a form for addresses: "Íñigo Larrea" is "inigo-larrea". */
export function slugOfName(name: string): string {
  const plain = name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  return (
    plain
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '')
      .slice(0, 60) || 'estudio'
  )
}

/** The address of a drawing. It contains a hash of the studio's colours, so it can be cached for ever. */
export function artUrl(site: Site, { kind, seed, ground, fills, floorless, bodies }: Drawing): string {
  const query = new URLSearchParams()
  if (ground) query.set('fondo', ground)
  if (fills) query.set('forma', 'llena')
  if (floorless) query.set('piso', 'no')
  if (bodies && bodies > 1) query.set('n', String(Math.min(8, bodies)))
  query.set('v', site.themeVersion)
  return `/arte/${kind}-${seed}.svg?${query}`
}

interface ArtProps extends Drawing {
  width: number
  height: number
  /** a sentence if the drawing carries meaning; empty if it is decorative */
  alt?: string
  className?: string
  style?: CSSProperties
  /** in the first screen: fetched before scripts, as it may be the largest element */
  eager?: boolean
}

/** A drawing with fixed dimensions, so that the layout does not shift when it loads. */
export function Art({ width, height, alt = '', className, style, eager = false, ...drawing }: ArtProps) {
  const site = useSite()
  return (
    <img
      src={artUrl(site, drawing)}
      alt={alt}
      width={width}
      height={height}
      className={className}
      style={style}
      decoding="async"
      loading={eager ? 'eager' : 'lazy'}
      fetchPriority={eager ? 'high' : undefined}
    />
  )
}
