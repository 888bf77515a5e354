/** Pictures as PNG, for uses that take no SVG or WebP: square icons from a drawing or the studio's picture, and its logo for receipts. */
import { MAX_PIXELS } from '#contract/files.ts'
import type { IconShape } from '#contract/rendering.ts'

/** Part of the icon's side that the picture fills: devices may crop a fifth of it, or nothing. */
const PICTURE = { tab: 1, home: 0.84, cut: 0.62 } as const
/** A smaller picture is used only as the icon of a browser tab. */
const LEAST = 96

const NOTHING = { r: 0, g: 0, b: 0, alpha: 0 }

/** Renders a square SVG at a size in pixels. */
export async function drawnIcon(svg: string, size: number): Promise<Uint8Array> {
  const { default: sharp } = await import('sharp')
  // The drawing's 32 units are 32 pixels at 72 dots per inch.
  const large = sharp(Buffer.from(svg), { density: (72 * size) / 32 })
  return large.resize({ width: size, height: size }).png({ compressionLevel: 9 }).toBuffer()
}

/** The studio's picture as an icon, on `ground` where it must fill the square; null when it is too small or unreadable. */
export async function pictureIcon(picture: Uint8Array, size: number, shape: IconShape, ground: string): Promise<Uint8Array | null> {
  const { default: sharp } = await import('sharp')
  const strict = { limitInputPixels: MAX_PIXELS }
  try {
    const { width = 0, height = 0 } = await sharp(picture, strict).metadata()
    if (Math.min(width, height) < LEAST) return null
    const side = Math.round(size * PICTURE[shape])
    const inside = await sharp(picture, strict).resize({ width: side, height: side, fit: 'contain', background: NOTHING }).png().toBuffer()
    const background = shape === 'tab' ? NOTHING : ground
    return await sharp({ create: { width: size, height: size, channels: 4, background } })
      .composite([{ input: inside, gravity: 'centre' }])
      .png({ compressionLevel: 9 })
      .toBuffer()
  } catch {
    return null
  }
}

/** The studio's picture as PNG with its size in pixels, scaled down to fit a box; null when it is unreadable. */
export async function fitPicture(
  picture: Uint8Array,
  box: { width: number; height: number },
): Promise<{ png: Uint8Array; width: number; height: number } | null> {
  const { default: sharp } = await import('sharp')
  try {
    const { data, info } = await sharp(picture, { limitInputPixels: MAX_PIXELS })
      .resize({ ...box, fit: 'inside', withoutEnlargement: true })
      .png({ compressionLevel: 9 })
      .toBuffer({ resolveWithObject: true })
    return { png: data, width: info.width, height: info.height }
  } catch {
    return null
  }
}
