/** Files on the server's own disk, in the data folder, outside every folder that is served statically. */
import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { copyFile, type FileHandle, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { assertNotInTransaction } from '#server/platform/db.ts'
import { makeFolder } from '#server/platform/folders.ts'
import { checkKey, type FileStore } from './port.ts'

const isMissing = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT'

/** The name of a file that is being written: that of its key and a UUID. */
export const HALF_WRITTEN = /\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Deletes the files of a folder, or those with such names, that were last written before an instant. */
export async function removeOlder(folder: string, before: Date, named = /./): Promise<void> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (isMissing(error)) return []
    throw error
  })
  for (const name of names.filter((name) => named.test(name))) {
    const path = join(folder, name)
    const found = await stat(path).catch((error: unknown) => {
      if (isMissing(error)) return null
      throw error
    })
    if (found && found.mtime < before) await rm(path, { force: true })
  }
}

export function diskFiles(root: string): FileStore {
  const pathOf = (key: string) => {
    assertNotInTransaction('The file store')
    checkKey(key)
    return join(root, key)
  }
  return {
    place: 'server',

    async put(key, content) {
      const path = pathOf(key)
      makeFolder(dirname(path), 0o700)
      // Written beside and renamed, so that readers see the old file or the new one; synced, so that it survives a power cut.
      const half = `${path}.${randomUUID()}`
      try {
        if ('path' in content) await copyFile(content.path, half)
        await using file = await open(half, 'path' in content ? 'r+' : 'wx', 0o600)
        if ('bytes' in content) await file.writeFile(content.bytes)
        await file.sync()
        await rename(half, path)
      } catch (error) {
        await rm(half, { force: true })
        throw error
      }
    },

    async read(key, range) {
      const path = pathOf(key)
      let file: FileHandle
      try {
        file = await open(path, 'r')
      } catch (error) {
        if (isMissing(error)) return null
        throw error
      }
      const { size } = await file.stat()
      return { size, stream: createReadStream(path, { fd: file, ...range }) }
    },

    async remove(key) {
      await rm(pathOf(key), { force: true })
    },
  }
}
