/** Where the bytes of uploaded files lie. Names are ours and random; what a file is called by people is no business of a store. */
import type { Readable } from 'node:stream'

export interface Stored {
  stream: Readable
  /** Bytes of the whole file. */
  size: number
}

/** What is put: bytes in memory, or a file on this machine's disk, which stays there. */
export type Content = { bytes: Uint8Array } | { path: string }

/** How a bucket that visitors read without us has to answer. */
export interface Serving {
  type: string
  /** `inline`, or `attachment` for what a browser must not open by itself. */
  disposition: string
  cacheControl: string
}

/** One place for bytes. Refuses to work inside a transaction. A failure that trying again may cure is thrown as any Error. */
export interface FileStore {
  readonly place: 'server' | 's3'
  /** Writes all of it or nothing; an older file of that name is replaced. Throws on a name that is none. */
  put(key: string, content: Content, serving: Serving): Promise<void>
  /** The bytes from `start` to `end`, both included, or all of them; null when there is no such file. */
  read(key: string, range?: { start: number; end: number }): Promise<Stored | null>
  /** Takes a file away; one that is not there is no failure. */
  remove(key: string): Promise<void>
}

/** What the studio keeps files with: one of these at a time for new ones, all of them for what lies there already. */
export interface FilesPort {
  /** Where new files go, by the setting `files_location` (S2-4.31). Throws when that place is not set up. */
  forNew(): FileStore
  at(place: FileStore['place']): FileStore
  /** A folder for uploads on their way, on the disk that the server's own files lie on. */
  folder(): Promise<string>
}

const KEY = /^(archivos|privado)\/[A-Za-z0-9_-]{16,64}\.[a-z0-9]{2,5}$/

/** Guards against names that would lead out of the store, before any implementation. */
export function checkKey(key: string): void {
  if (!KEY.test(key)) throw new Error('This is not the name of a stored file.')
}
