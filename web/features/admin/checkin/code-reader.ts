/** Codes before the camera: by the browser's own detector where there is one, else by a worker of ours. */
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

/** Reads the code in the present picture; null where there is none. */
export interface CodeReader {
  read(video: HTMLVideoElement): Promise<string | null>
  close(): void
}

/** A reader for this browser. */
export async function openCodeReader(): Promise<CodeReader> {
  const own = window.BarcodeDetector
  const formats: readonly string[] = (await own?.getSupportedFormats().catch(() => [])) ?? []
  if (own && formats.includes('qr_code')) {
    const detector = new own({ formats: ['qr_code'] })
    return { read: async (video) => (await detector.detect(video))[0]?.rawValue ?? null, close: () => undefined }
  }
  return workerReader()
}

/** The longest side of what the worker looks at: a code fills much of the picture, and four times the points take four times as long. */
const SIDE = 640

function workerReader(): CodeReader {
  const worker = new Worker(new URL('./qr-worker.ts', import.meta.url), { type: 'module' })
  const canvas = document.createElement('canvas')
  const draw = canvas.getContext('2d', { willReadFrequently: true })
  return {
    read(video) {
      const scale = Math.min(1, SIDE / Math.max(video.videoWidth, video.videoHeight))
      const [width, height] = [Math.round(video.videoWidth * scale), Math.round(video.videoHeight * scale)]
      if (!draw || width === 0 || height === 0) return Promise.resolve(null)
      Object.assign(canvas, { width, height })
      draw.drawImage(video, 0, 0, width, height)
      const { data } = draw.getImageData(0, 0, width, height)
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
