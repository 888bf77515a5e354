/** How a photo is cropped. Separate from the endpoints, because the browser needs the limit without their schemas. */

/** How far a photo can be enlarged when it is cropped. */
export const MAX_PHOTO_ZOOM = 4

/** Where the face is, as shares of width and height from the upper left, and how far the photo is enlarged (1 = as much of it as fits). */
export interface PhotoCrop {
  x: number
  y: number
  zoom: number
}
