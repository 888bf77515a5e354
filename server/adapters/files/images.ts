/** Uploaded images are never stored as received: they are decoded, rotated upright, stripped of camera metadata, and encoded again. */
import { MAX_PIXELS, MAX_SIDE, THUMBNAIL } from '#contract/files.ts'
import { assertNotInTransaction } from '#server/platform/db.ts'

export interface Remade {
  bytes: Uint8Array
  type: 'image/jpeg' | 'image/png' | 'image/webp' | 'image/gif'
  width: number
  height: number
  /** 100 x 100, WebP. */
  thumbnail: Uint8Array
}

/** The file is not a readable image, or has too many pixels. */
export class BadImage extends Error {}

/** Serializes conversions: each may take a few hundred megabytes for a moment. */
let line: Promise<unknown> = Promise.resolve()

/** Decodes the image at `path`, of the type that its first bytes indicate, and encodes it again. Throws `BadImage`. */
export function remakeImage(path: string, type: string): Promise<Remade> {
  assertNotInTransaction('Work on an image')
  const mine = line.then(() => remake(path, type))
  line = mine.catch(() => {})
  return mine
}

async function remake(path: string, type: string): Promise<Remade> {
  const { default: sharp } = await import('sharp')
  const strict = { limitInputPixels: MAX_PIXELS, failOn: 'error', sequentialRead: true } as const
  try {
    const about = await sharp(path, strict).metadata()
    const { format, pages = 1, width = 0, height = 0 } = about
    // The decoder may detect another format than our check of the first bytes: refuse anything but the expected one.
    const declared = type === 'image/avif' ? 'heif' : type.slice('image/'.length)
    if (format !== declared) throw new BadImage(`The image is ${format} and began like ${declared}.`)
    const moves = pages > 1 && (declared === 'gif' || declared === 'webp') && width * (about.pageHeight ?? height) * pages <= MAX_PIXELS
    const upright = sharp(path, { ...strict, animated: moves })
      .autoOrient()
      .resize({ width: MAX_SIDE, height: MAX_SIDE, fit: 'inside', withoutEnlargement: true })
      .timeout({ seconds: 30 })
    const target = declared === 'jpeg' ? 'jpeg' : declared === 'png' ? 'png' : declared === 'gif' ? 'gif' : 'webp'
    const written = {
      jpeg: () => upright.jpeg({ quality: 82, mozjpeg: true }),
      png: () => upright.png({ compressionLevel: 9 }),
      gif: () => upright.gif(),
      webp: () => upright.webp({ quality: 82 }),
    }[target]()
    const { data, info } = await written.toBuffer({ resolveWithObject: true })
    const thumbnail = await sharp(data, { limitInputPixels: MAX_PIXELS })
      .resize({ width: THUMBNAIL, height: THUMBNAIL, fit: 'cover' })
      .webp({ quality: 80 })
      .toBuffer()
    return { bytes: data, type: `image/${target}`, width: info.width, height: info.pageHeight ?? info.height, thumbnail }
  } catch (error) {
    if (error instanceof BadImage) throw error
    throw new BadImage('The image could not be read.', { cause: error })
  }
}
