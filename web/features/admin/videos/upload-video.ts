/** Uploads a video with its progress, which `fetch` does not report. */
import type { StoredFile } from '#contract/files.ts'
import { api } from '#web/lib/api.ts'
import { bearer } from '#web/lib/bearer.ts'

interface Answer {
  status: number
  body: unknown
}

function send(file: File, token: string | null, onProgress: (part: number) => void): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const form = new FormData()
    form.append('file', file)
    request.open('POST', '/api/files')
    request.responseType = 'json'
    if (token) request.setRequestHeader('authorization', `Bearer ${token}`)
    request.upload.addEventListener('progress', ({ lengthComputable, loaded, total }) => {
      if (lengthComputable && total > 0) onProgress(loaded / total)
    })
    request.addEventListener('load', () => resolve({ status: request.status, body: request.response }))
    // As `fetch` does without a connection.
    request.addEventListener('error', () => reject(new TypeError('upload failed')))
    request.send(form)
  })
}

/** The stored file; it is private. `onProgress`: from 0 to 1. Throws the refusal of the API. */
export async function uploadVideo(file: File, onProgress: (part: number) => void): Promise<StoredFile> {
  let answer = await send(file, await bearer(), onProgress)
  if (answer.status === 401) answer = await send(file, await bearer(true), onProgress)
  if (answer.status >= 400) throw answer.body ?? new TypeError('upload failed')
  return (answer.body as { file: StoredFile }).file
}

/** The longest wait for a frame: a film whose bytes arrive slowly has no picture rather than a form that waits. */
const FRAME_MS = 8_000
/** Width of the picture of a video at most, in pixels: twice that of a card. */
const FRAME_WIDTH = 1_280

/** What the browser reads from a stored video, each null where it cannot: whole minutes, at least one, and a frame as a picture. */
export interface ReadVideo {
  minutes: number | null
  frame: File | null
}

/** `frame`: from a tenth of the film, but no later than its tenth second. A film at another site cannot be read as pixels. */
export function readVideo(src: string): Promise<ReadVideo> {
  return new Promise((resolve) => {
    const video = document.createElement('video')
    let minutes: number | null = null
    let timer: ReturnType<typeof setTimeout> | undefined
    const done = (frame: File | null) => {
      clearTimeout(timer)
      video.removeAttribute('src')
      resolve({ minutes, frame })
    }
    video.muted = true
    video.preload = 'auto'
    video.addEventListener('loadedmetadata', () => {
      if (!Number.isFinite(video.duration)) return done(null)
      minutes = Math.max(1, Math.round(video.duration / 60))
      timer = setTimeout(() => done(null), FRAME_MS)
      video.currentTime = Math.min(10, video.duration / 10)
    })
    video.addEventListener('seeked', () => void frameOf(video).then(done, () => done(null)), { once: true })
    video.addEventListener('error', () => done(null))
    video.src = src
  })
}

/** What a video shows now, as a JPEG. */
async function frameOf(video: HTMLVideoElement): Promise<File | null> {
  const canvas = document.createElement('canvas')
  const scale = Math.min(1, FRAME_WIDTH / video.videoWidth)
  canvas.width = Math.round(video.videoWidth * scale)
  canvas.height = Math.round(video.videoHeight * scale)
  canvas.getContext('2d')?.drawImage(video, 0, 0, canvas.width, canvas.height)
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.85))
  return blob && new File([blob], 'cuadro.jpg', { type: 'image/jpeg' })
}

/** Stores a frame as a public picture; null when it cannot be stored. The video can do without it. */
export async function storeFrame(frame: File): Promise<string | null> {
  const stored = await api.files.upload({ file: frame, data: JSON.stringify({ is_public: true }) }).catch(() => null)
  return stored?.file.src ?? null
}
