/** Decodes QR codes for browsers without BarcodeDetector. In a worker, so that the camera's picture stays smooth. */
import jsQR from 'jsqr'

/** A frame of the camera, as RGBA. */
export interface Frame {
  data: Uint8ClampedArray
  width: number
  height: number
}

self.onmessage = ({ data: { data, width, height } }: MessageEvent<Frame>) => {
  const code = jsQR(data, width, height, { inversionAttempts: 'dontInvert' })
  self.postMessage(code?.data ?? null)
}
