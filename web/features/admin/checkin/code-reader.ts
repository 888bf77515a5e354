/** Reads QR codes from the camera: with the browser's BarcodeDetector if it has one, else in a worker. */
import type { Frame } from './qr-worker.ts'

interface Detector {
  detect(source: HTMLVideoElement): Promise<readonly { rawValue: string }[]>
}
declare global {
  interface Window {
    BarcodeDetector?: {
      new (about: { formats: string[] }): Detector
      getSupportedFormats(): Promise<string[]>
    }
  }
}

/** Reads the code in the current picture; null without one. */
export interface CodeReader {
  read(video: HTMLVideoElement): Promise<string | null>
  close(): void
}

/** Opens a reader that works in this browser. */
export async function openCodeReader(): Promise<CodeReader> {
  const NativeDetector = window.BarcodeDetector
  const formats: readonly string[] = (await NativeDetector?.getSupportedFormats().catch(() => [])) ?? []
  if (NativeDetector && formats.includes('qr_code')) {
    const detector = new NativeDetector({ formats: ['qr_code'] })
    return { read: async (video) => (await detector.detect(video))[0]?.rawValue ?? null, close: () => undefined }
  }
  return workerReader()
}

/** The longest side in px of the picture for the worker: enough for a code near the camera, and its cost grows with the area. */
const MAX_SIDE_PX = 640

function workerReader(): CodeReader {
  const worker = new Worker(new URL('./qr-worker.ts', import.meta.url), { type: 'module' })
  const canvas = document.createElement('canvas')
  const context = canvas.getContext('2d', { willReadFrequently: true })
  return {
    read(video) {
      const scale = Math.min(1, MAX_SIDE_PX / Math.max(video.videoWidth, video.videoHeight))
      const [width, height] = [Math.round(video.videoWidth * scale), Math.round(video.videoHeight * scale)]
      if (!context || width === 0 || height === 0) return Promise.resolve(null)
      Object.assign(canvas, { width, height })
      context.drawImage(video, 0, 0, width, height)
      const { data } = context.getImageData(0, 0, width, height)
      return new Promise((resolve, reject) => {
        worker.onmessage = ({ data: text }: MessageEvent<string | null>) => resolve(text)
        worker.onerror = () => reject(new Error('The QR worker failed.'))
        const frame: Frame = { data, width, height }
        worker.postMessage(frame, [data.buffer])
      })
    },
    close: () => worker.terminate(),
  }
}
