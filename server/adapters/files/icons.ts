/** Pictures as PNG, for what takes no SVG or WebP: square icons out of a drawing or of a picture of the studio's, and its logo on paper. */
import type { IconShape } from '#contract/brand-icon.ts'
import { MAX_PIXELS } from '#contract/files.ts'

/** How much of the side a picture takes: devices cut a fifth away, or nothing. */
const PICTURE = { tab: 1, home: 0.84, cut: 0.62 } as const
/** Below this a picture is an icon for a browser's tab and nothing more. */
const LEAST = 96

const NOTHING = { r: 0, g: 0, b: 0, alpha: 0 }

/** A square drawing at a size in pixels. */
export async function drawnIcon(svg: string, size: number): Promise<Uint8Array> {
  const { default: sharp } = await import('sharp')
  // 32 units of the drawing are 32 pixels at 72 dots per inch.
  const large = sharp(Buffer.from(svg), { density: (72 * size) / 32 })
  return large.resize({ width: size, height: size }).png({ compressionLevel: 9 }).toBuffer()
}

/** A picture of the studio's as an icon, on `ground` where it must fill the square; null when it is too small or cannot be read. */
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

/** A picture of the studio's as PNG with its size in pixels, no larger than a box and in its own shape; null when it cannot be read. */
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
