/** New files are stored on the server's disk or in the bucket of the settings; files in the other store stay readable. */
import { join } from 'node:path'
import type { Settings } from '#contract/settings.ts'
import { makeFolder } from '#server/platform/folders.ts'
import { diskFiles, HALF_WRITTEN, removeOlder } from './disk.ts'
import { type FileStore, type FilesPort, STORED_FOLDERS } from './port.ts'
import { s3Files } from './s3.ts'

interface FilesConfig {
  dataDir: string
  S3_API_BASE?: string | undefined
  S3_ACCESS_KEY_ID?: string | undefined
  S3_SECRET_ACCESS_KEY?: string | undefined
}

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/
const REGION = /^[a-z0-9-]{2,40}$/

export function chooseFiles(config: FilesConfig, settings: () => Pick<Settings, 'files_location' | 'bucket' | 'region'>): FilesPort {
  const disk = diskFiles(config.dataDir)
  let bucket: { name: string; store: FileStore } | undefined
  function s3(): FileStore {
    const { bucket: named, region } = settings()
    const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey, S3_API_BASE: apiBase } = config
    if (!accessKeyId || !secretAccessKey)
      throw new Error('Files go to a bucket, but S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY are not set.')
    if (!BUCKET.test(named) || !REGION.test(region))
      throw new Error('Files go to a bucket, but the settings bucket and region do not name one.')
    const name = `${named} ${region}`
    if (bucket?.name !== name) bucket = { name, store: s3Files({ bucket: named, region, apiBase, accessKeyId, secretAccessKey }) }
    return bucket.store
  }
  const unfinished = join(config.dataDir, 'archivos-en-camino')
  return {
    forNew: () => (settings().files_location === 'server' ? disk : s3()),
    at: (location) => (location === 'server' ? disk : s3()),
    async folder() {
      makeFolder(unfinished, 0o700)
      return unfinished
    },
    async removeUnfinished(before) {
      await removeOlder(unfinished, before)
      for (const folder of STORED_FOLDERS) await removeOlder(join(config.dataDir, folder), before, HALF_WRITTEN)
    },
  }
}
