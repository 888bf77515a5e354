/** Uploads for tests: multipart over HTTP as a browser sends them, generated images, and the files on disk. */
import { readdir } from 'node:fs/promises'
import sharp from 'sharp'
import type { StoredFile } from '#contract/files.ts'
import { cookieHeader } from './cookies.ts'
import type { Person, TestStudio } from './studio.ts'

export const plain = (width: number, height: number) => sharp({ create: { width, height, channels: 3, background: '#2b36d9' } })
export const png = () => plain(300, 200).png().toBuffer()
/** The first bytes of a WebM video. */
export const webm = () =>
  Buffer.concat([Buffer.from('\x1a\x45\xdf\xa3\x01\0\0\0\0\0\0\x1fB\x82\x84webm', 'latin1'), Buffer.alloc(4_000, 7)])

export interface Sent {
  status: number
  file_id?: number
  file?: StoredFile
  code?: string
  message?: string
}

/** Uploads a file and returns the response. */
export async function upload(
  on: TestStudio,
  person: Person | null,
  bytes: Uint8Array | string,
  name = 'foto.png',
  more: Record<string, unknown> | null = null,
  path = '/api/files',
): Promise<Sent> {
  const form = new FormData()
  form.append('file', new File([bytes as BlobPart], name, { type: 'image/png' }))
  if (more) form.append('data', JSON.stringify(more))
  const headers: Record<string, string> = person ? { authorization: `Bearer ${person.token}`, ...cookieHeader(person) } : {}
  const answer = await fetch(`${on.url}${path}`, { method: 'POST', body: form, headers })
  return { status: answer.status, ...((await answer.json()) as object) }
}

/** The stored file; fails the test when there is none. */
export async function storedFiles(
  on: TestStudio,
  person: Person,
  bytes: Uint8Array | string,
  name?: string,
  more?: Record<string, unknown>,
): Promise<StoredFile> {
  const { status, file, code } = await upload(on, person, bytes, name, more)
  if (!file) throw new Error(`The upload answered ${status} ${code}.`)
  return file
}

/** Files under a folder; empty when the folder does not exist. */
export async function listFilesIn(folder: string): Promise<string[]> {
  return (await readdir(folder, { recursive: true }).catch(() => [])).filter((name) => name.includes('.')).sort()
}
