/** The part of a photo that a coach's picture shows: a portrait around the face, out of which avatars cut their disc. */
import { MAX_PHOTO_ZOOM, type PhotoCrop } from '#contract/photo-crop.ts'

export interface Size {
  width: number
  height: number
}
export interface Rect extends Size {
  left: number
  top: number
}

/** The frame of a portrait on the site: 4 wide, 4.9 high. */
export const PORTRAIT = 4 / 4.9
/** Avatars show the square of a portrait at 30 % of what it is higher (`object-position` in ui/avatar.css). */
const AVATAR_AT = 0.3
/** The position of the face in a portrait, as a share of its height, so that it is in the middle of the avatar. */
export const FACE_AT = AVATAR_AT * (1 - PORTRAIT) + PORTRAIT / 2
/** The longest side of the picture that is stored, in pixels. */
const STORED_HEIGHT = 1_470

export const WHOLE: PhotoCrop = { x: 0.5, y: 0.4, zoom: 1 }

const clamp = (value: number, least: number, most: number) => Math.min(Math.max(value, least), most)

/** The rectangle of the photo, in its pixels, that is shown. It never leaves the photo, so a face at the edge is not in the middle. */
export function portraitRect({ width, height }: Size, { x, y, zoom }: PhotoCrop): Rect {
  const whole = Math.min(width, height * PORTRAIT)
  // Rounding may make the part larger than the photo by a hair.
  const shown = { width: Math.min(width, whole / zoom), height: Math.min(height, whole / PORTRAIT / zoom) }
  return {
    ...shown,
    left: clamp(x * width - shown.width / 2, 0, width - shown.width),
    top: clamp(y * height - shown.height * FACE_AT, 0, height - shown.height),
  }
}

/** The pixels of the picture that is stored: those of the photo, up to the size that the largest frame of the site needs. */
export function storedSize(rect: Rect): Size {
  const height = Math.max(1, Math.round(Math.min(rect.height, STORED_HEIGHT)))
  return { width: Math.max(1, Math.round(height * PORTRAIT)), height }
}

/** A step of the focus with the arrow keys, as a share of the photo. */
const STEP = 0.02

/** The crop after a key: arrows move the focus, + and - enlarge; null: the key means nothing here. */
export function afterKey(crop: PhotoCrop, key: string): PhotoCrop | null {
  const moved: Readonly<Record<string, Partial<PhotoCrop>>> = {
    ArrowLeft: { x: crop.x - STEP },
    ArrowRight: { x: crop.x + STEP },
    ArrowUp: { y: crop.y - STEP },
    ArrowDown: { y: crop.y + STEP },
    '+': { zoom: crop.zoom + 0.1 },
    '-': { zoom: crop.zoom - 0.1 },
  }
  return moved[key] ? clampCrop({ ...crop, ...moved[key] }) : null
}

/** A crop within its limits, with a precision that a stored number needs. */
export function clampCrop({ x, y, zoom }: PhotoCrop): PhotoCrop {
  const rounded = (value: number) => Math.round(value * 1_000) / 1_000
  return { x: rounded(clamp(x, 0, 1)), y: rounded(clamp(y, 0, 1)), zoom: rounded(clamp(zoom, 1, MAX_PHOTO_ZOOM)) }
}
