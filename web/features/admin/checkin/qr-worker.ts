/** Reads QR codes where the browser cannot do it itself: a picture in, its text out. A worker, so that the picture of the camera does not stutter. */
import jsQR from 'jsqr'

/** A frame of the camera. */
export interface Frame {
  data: Uint8ClampedArray
  width: number
  height: number
}

self.onmessage = ({ data: { data, width, height } }: MessageEvent<Frame>) => {
  const found = jsQR(data, width, height, { inversionAttempts: 'dontInvert' })
  self.postMessage(found?.data ?? null)
}
