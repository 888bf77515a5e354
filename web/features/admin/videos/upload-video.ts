/** Uploads a video with its progress, which `fetch` does not report. */
import type { StoredFile } from '#contract/files.ts'
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

/** Whole minutes of a video, at least one; null when the browser cannot read it. */
export function readDuration(src: string): Promise<number | null> {
  return new Promise((resolve) => {
    const video = document.createElement('video')
    video.preload = 'metadata'
    video.addEventListener('loadedmetadata', () =>
      resolve(Number.isFinite(video.duration) ? Math.max(1, Math.round(video.duration / 60)) : null),
    )
    video.addEventListener('error', () => resolve(null))
    video.src = src
  })
}
