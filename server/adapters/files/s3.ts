/** Files in an S3-compatible bucket. The SDK (34 MB) is loaded with the first file. */
import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import type { S3Client } from '@aws-sdk/client-s3'
import { assertNotInTransaction } from '#server/platform/db.ts'
import { type Content, checkKey, type FileStore } from './port.ts'

export interface S3Options {
  bucket: string
  region: string
  /** Base URL of the API when it is not Amazon's. From the environment, never from a setting: signed requests are sent to it. */
  apiBase?: string | undefined
  accessKeyId: string
  secretAccessKey: string
}

/** The SDK cannot retry a stream, so only what is too large for memory (an export of a studio) is sent as one; its job tries again. */
const MOST_IN_MEMORY = 64 * 1024 * 1024

async function bodyOf(content: Content): Promise<{ content: Uint8Array | Readable; size: number }> {
  if ('bytes' in content) return { content: content.bytes, size: content.bytes.byteLength }
  const { size } = await stat(content.path)
  return { content: size > MOST_IN_MEMORY ? createReadStream(content.path) : await readFile(content.path), size }
}

const isMissing = (error: unknown) =>
  error instanceof Error &&
  (error.name === 'NoSuchKey' || ('$metadata' in error && (error.$metadata as { httpStatusCode?: number }).httpStatusCode === 404))

export function s3Files(options: S3Options): FileStore {
  const { bucket: Bucket, region, apiBase, accessKeyId, secretAccessKey } = options
  let opened: Promise<S3Client> | undefined
  const sdk = () => import('@aws-sdk/client-s3')
  const client = () => {
    assertNotInTransaction('The file store')
    opened ??= sdk().then(
      ({ S3Client }) =>
        new S3Client({
          region,
          credentials: { accessKeyId, secretAccessKey },
          maxAttempts: 3,
          requestHandler: { connectionTimeout: 5_000, requestTimeout: 60_000 },
          // S3-compatible services of other providers do not support the newer checksums.
          requestChecksumCalculation: 'WHEN_REQUIRED',
          responseChecksumValidation: 'WHEN_REQUIRED',
          ...(apiBase ? { endpoint: apiBase, forcePathStyle: true } : {}),
        }),
    )
    return opened
  }
  return {
    place: 's3',

    async put(key, content, serving) {
      checkKey(key)
      const [s3, { PutObjectCommand }] = await Promise.all([client(), sdk()])
      const body = await bodyOf(content)
      await s3.send(
        new PutObjectCommand({
          Bucket,
          Key: key,
          Body: body.content,
          ContentLength: body.size,
          ContentType: serving.type,
          ContentDisposition: serving.disposition,
          CacheControl: serving.cacheControl,
        }),
      )
    },

    async read(key, range) {
      checkKey(key)
      const [s3, { GetObjectCommand }] = await Promise.all([client(), sdk()])
      try {
        const found = await s3.send(
          new GetObjectCommand({ Bucket, Key: key, ...(range ? { Range: `bytes=${range.start}-${range.end}` } : {}) }),
        )
        const whole = /\/(\d+)$/.exec(found.ContentRange ?? '')?.[1]
        return { stream: found.Body as Readable, size: whole === undefined ? (found.ContentLength ?? 0) : Number(whole) }
      } catch (error) {
        if (isMissing(error)) return null
        throw error
      }
    },

    async remove(key) {
      checkKey(key)
      const [s3, { DeleteObjectCommand }] = await Promise.all([client(), sdk()])
      await s3.send(new DeleteObjectCommand({ Bucket, Key: key }))
    },
  }
}
