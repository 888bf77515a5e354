/** Storage of uploaded files' bytes. Keys are our own random names; a store does not know a file's display name. */
import type { Readable } from 'node:stream'

export interface Stored {
  stream: Readable
  /** Size of the complete file in bytes. */
  size: number
}

/** Content to store: bytes in memory, or a file on this machine's disk, which is not removed. */
export type Content = { bytes: Uint8Array } | { path: string }

/** Response headers for a bucket that visitors read directly. */
export interface Serving {
  type: string
  /** `inline`, or `attachment` for types that a browser must not open. */
  disposition: string
  cacheControl: string
}

/** A store of files. Refuses to work inside a transaction. Throws any Error for failures that a retry may cure. */
export interface FileStore {
  readonly place: 'server' | 's3'
  /** Writes everything or nothing, replacing an existing file. Throws on an invalid key. */
  put(key: string, content: Content, serving: Serving): Promise<void>
  /** The bytes from `start` to `end`, both included, or all of them; null when there is no such file. */
  read(key: string, range?: { start: number; end: number }): Promise<Stored | null>
  /** Deletes a file; a missing one is no failure. */
  remove(key: string): Promise<void>
}

/** The studio's stores: one for new files, all of them for reading existing ones. */
export interface FilesPort {
  /** The store for new files, by the setting `files_location` (S2-4.31). Throws when it is not configured. */
  forNew(): FileStore
  at(location: FileStore['place']): FileStore
  /** A folder for unfinished uploads, on the same disk as the server's own files. */
  folder(): Promise<string>
  /**
   * Deletes what killed processes left on the server's disk: unfinished uploads, and half-written files, last written before an instant.
   */
  removeUnfinished(before: Date): Promise<void>
}

/** The folders of stored files: public and private ones. */
export const STORED_FOLDERS = ['archivos', 'privado'] as const

const KEY = /^(archivos|privado)\/[A-Za-z0-9_-]{16,64}\.[a-z0-9]{2,5}$/

/** Whether a file can have this key; others could lead out of the store. */
export const isFileKey = (key: string): boolean => KEY.test(key)

/** Throws on other keys; every implementation calls it first. */
export function checkKey(key: string): void {
  if (!isFileKey(key)) throw new Error('This is not the name of a stored file.')
}
