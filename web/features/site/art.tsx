import type { CSSProperties } from 'react'
import { themeHash } from '#contract/color.ts'
import { type Site, useSite } from '#web/lib/settings.tsx'

/** Drawings that the server makes in the studio's colours (design section 9). */
export type ArtKind = 'clase' | 'movimiento' | 'heroe' | 'coach' | 'avatar' | 'rayos' | 'marca'
type ArtGround = 'stage' | 'brand' | 'soft' | 'accent' | 'paper'

interface Drawing {
  kind: ArtKind
  /** what it is a drawing of: `slug(name)`, with an id where two could have one name */
  seed: string
  /** what it stands on */
  ground?: ArtGround | undefined
  /** covers its box like a photo, instead of standing on its lower edge */
  fills?: boolean
  /** the page draws the floor */
  floorless?: boolean
  /** as many bodies as classes, 1 to 8 */
  bodies?: number | undefined
}

/** A name as an address can carry it: "Íñigo Larrea" is "inigo-larrea". */
export function slug(name: string): string {
  const plain = name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  return (
    plain
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '')
      .slice(0, 60) || 'estudio'
  )
}

/** The address of a drawing, with the version of the studio's colours: it may be kept for ever. */
export function artUrl(site: Site, { kind, seed, ground, fills, floorless, bodies }: Drawing): string {
  const query = new URLSearchParams()
  if (ground) query.set('fondo', ground)
  if (fills) query.set('forma', 'llena')
  if (floorless) query.set('piso', 'no')
  if (bodies && bodies > 1) query.set('n', String(Math.min(8, bodies)))
  query.set('v', themeHash(site))
  return `/arte/${kind}-${seed}.svg?${query}`
}

interface ArtProps extends Drawing {
  width: number
  height: number
  /** a sentence when the drawing says something; decoration without one */
  alt?: string
  className?: string
  style?: CSSProperties
  /** above the fold */
  eager?: boolean
}

/** A drawing with its room reserved. */
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
    />
  )
}
