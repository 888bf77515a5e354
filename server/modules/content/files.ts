/** Uploaded files: checked by their content, stored under random names, shown to those who may see them (docs/domain.md, "Files"). */
import { randomBytes, randomUUID } from 'node:crypto'
import { open, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { refuse } from '#contract/errors.ts'
import { FILES_PATH } from '#contract/file-address.ts'
import { FILES_PER_PAGE, type StoredFile, type UploadData, uploadData } from '#contract/files.ts'
import { pageCount } from '#contract/paging.ts'
import { BadImage, remakeImage } from '#server/adapters/files/images.ts'
import { HEAD_BYTES, isHeic, kindOf } from '#server/adapters/files/kind.ts'
import type { Content, FileStore, Stored } from '#server/adapters/files/port.ts'
import { previewBytes } from '#server/adapters/files/preview.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { customerById } from '#server/modules/people/people.ts'
import type { Reader, Tx } from '#server/platform/db.ts'
import { parseJson } from '#server/platform/json.ts'
import { type Asker, disposition, fileName, isTheirs, largestFor, opensUntil, tooLarge, whyNotKind, whyNotMore } from './file-rules.ts'
import {
  countFiles,
  eraseFile,
  type FileRow,
  findFile,
  findFileByKey,
  insertFile,
  listFiles,
  listFilesById,
  listLeftovers,
  lockFiles,
  lockUploads,
  sumFiles,
  updateFile,
} from './file-store.ts'

export type { FileRow } from './file-store.ts'

const PUBLIC = 'archivos/'
const PRIVATE = 'privado/'
/** Path of private files, which need a signature. */
export const PRIVATE_PATH = `${FILES_PATH}/privado/`
const LINK_USE = 'archivo'
/** Links that open only the beginning of a video. */
const PREVIEW_USE = 'archivo-muestra'

const MEGABYTE = 1_048_576
/** Limit in megabytes of all uploads of accounts without a customer from one address, and the hours after which they are deleted (U4). */
const PROSPECT_HOURS = 6
const PROSPECTS_AT_ONE_ADDRESS = { max: 60, seconds: PROSPECT_HOURS * 3_600 }

/**
 * The caller as the owner of files. On a shared device that is the person of the PIN, because the session belongs to another account, which
 * may have files too. DEVICE_LOCKED while the device waits for a PIN, or is a kiosk.
 */
export function getFileCaller(ctx: Ctx): Asker {
  const { actor } = ctx
  if (actor.kind !== 'identity') throw refuse('UNAUTHENTICATED')
  const uid = ctx.actingUid
  if (uid === null || (actor.sharedDevice && !actor.staff)) throw refuse('DEVICE_LOCKED')
  const prospect = !actor.customer && !actor.staff && !actor.staffToVerify
  return { uid, customer_id: actor.customer?.customer_id ?? null, reception: ctx.may('customers.edit'), prospect }
}

/** A signed URL that opens a private file for some minutes (U5); `minutes`: added for the length of a video. */
export function privateAddress(ctx: Ctx, name: string, minutes = 0): string {
  const until = Math.floor(opensUntil(ctx.now, minutes).getTime() / 1000)
  return `${PRIVATE_PATH}${name}?firma=${ctx.studio.signer.sign(LINK_USE, `${name}.${until}`)}`
}

/** A signed URL of the first seconds of a private video; null when it has no preview (O17). */
export function previewAddress(ctx: Ctx, row: FileRow): string | null {
  if (row.preview_bytes === null || row.is_public) return null
  const name = row.key.slice(PRIVATE.length)
  const until = Math.floor(opensUntil(ctx.now).getTime() / 1000)
  return `${PRIVATE_PATH}${name}?muestra=${ctx.studio.signer.sign(PREVIEW_USE, `${name}.${until}`)}`
}

/** Serializes a file. Links to private files are signed anew on every read; `minutes`: added for the length of a video (U5). */
export async function serializeFile(ctx: Ctx, row: FileRow, minutes = 0): Promise<StoredFile> {
  const address = (key: string) => {
    const name = key.slice(key.indexOf('/') + 1)
    return row.is_public ? `${FILES_PATH}/${name}` : privateAddress(ctx, name, minutes)
  }
  const { file_id, name, type, size, width, height, is_public, customer_id } = row
  return {
    file_id,
    name,
    type,
    size,
    width,
    height,
    is_public,
    customer_id,
    src: address(row.key),
    thumbnail: row.thumbnail_key && address(row.thumbnail_key),
    createdAt: row.createdAt.toISOString(),
  }
}

/** The caller's own files, or all for staff with `customers.edit`, newest first, 50 per page (U2). */
export async function listedFiles(ctx: Ctx, input: { page: number; kind?: FileRow['kind'] | undefined; customer_id?: number | undefined }) {
  const caller = getFileCaller(ctx)
  const only = caller.reception ? input : { kind: input.kind, owner: caller }
  const slice = { limit: FILES_PER_PAGE, offset: (input.page - 1) * FILES_PER_PAGE }
  const [rows, total] = await Promise.all([listFiles(ctx.db, only, slice), countFiles(ctx.db, only)])
  return { files: await Promise.all(rows.map((row) => serializeFile(ctx, row))), total, pages: pageCount(total, FILES_PER_PAGE) }
}

/** One of the caller's own files, or any for staff with `customers.edit`. NOT_FOUND (U2). */
export async function oneFile(ctx: Ctx, input: { file_id: number }): Promise<{ file: StoredFile }> {
  const found = await findFile(ctx.db, input.file_id)
  if (!found || !isTheirs(found, getFileCaller(ctx))) throw refuse('NOT_FOUND')
  return { file: await serializeFile(ctx, found) }
}

/** Several files by their ids, without an ownership check: the caller has decided that they may be shown. */
export async function filesById(db: Reader, file_ids: readonly number[]): Promise<FileRow[]> {
  return listFilesById(db, file_ids)
}

/** An upload on this machine's disk. */
export interface Arrived {
  path: string
  /** As the browser sent it. */
  filename: string
}

/**
 * Stores an uploaded file: inserts its row, stores its bytes, marks the row as ready (U1). The caller deletes the temporary file.
 * FILE_TYPE, FILE_HEIC, FILE_TOO_LARGE, FILE_MISSING, FILE_UNREADABLE, FILE_QUOTA, FILE_STORAGE, NOT_FOUND; TOO_MANY_REQUESTS for accounts
 * without a customer.
 */
export async function storeFile(ctx: Ctx, arrived: Arrived, data: UploadData): Promise<{ file_id: number; file: StoredFile }> {
  const caller = getFileCaller(ctx)
  const owner = await ownerOf(ctx, caller, data)
  const file = await prepare(arrived, caller)
  if (caller.prospect)
    await ctx.throttle({ name: 'prospect-upload', subject: ctx.ip, ...PROSPECTS_AT_ONE_ADDRESS, cost: Math.ceil(file.size / MEGABYTE) })
  const store = storeForNew(ctx)
  const beginning = owner.is_public ? PUBLIC : PRIVATE
  const key = `${beginning}${randomName()}.${file.ending}`
  const thumbnail_key = file.thumbnail ? `${beginning}${randomName()}.webp` : null
  const name = fileName(data.name || arrived.filename, file.ending)

  const pending = await ctx.tx(async (tx) => {
    await lockUploads(tx, caller.uid)
    const no = whyNotMore(await sumFiles(tx, caller), file.size, caller)
    if (no) throw no
    const { kind, type, size, width, height, preview_bytes } = file
    const location = store.place
    return insertFile(tx, {
      key,
      thumbnail_key,
      name,
      kind,
      type,
      size,
      width,
      height,
      preview_bytes,
      place: location,
      ...owner,
      uid: caller.uid,
      status: 'pending',
      createdAt: ctx.now,
    })
  })
  const cacheControl = owner.is_public ? 'public, max-age=31536000, immutable' : 'private, max-age=900'
  try {
    await store.put(key, file.content, { type: file.type, disposition: disposition(file.kind, name), cacheControl })
    if (thumbnail_key && file.thumbnail)
      await store.put(thumbnail_key, { bytes: file.thumbnail }, { type: 'image/webp', disposition: 'inline', cacheControl })
  } catch (error) {
    ctx.studio.log.error({ error, file_id: pending.file_id, place: store.place }, 'file.store_failed')
    await ctx.tx((tx) => updateFile(tx, pending.file_id, { deletedAt: ctx.now }))
    throw refuse('FILE_STORAGE')
  }
  const row = await ctx.tx(async (tx) => {
    const ready = await updateFile(tx, pending.file_id, { status: 'ready' })
    if (caller.reception)
      await ctx.audit(tx, { action: 'file.upload', entity: 'file', entity_id: ready.file_id, after: { name, type: file.type, ...owner } })
    return ready
  })
  return { file_id: row.file_id, file: await serializeFile(ctx, row) }
}

/** The largest upload allowed for the caller, in bytes: longer bodies are not read. */
export function largestUpload(ctx: Ctx): number {
  return largestFor(getFileCaller(ctx))
}

/** The owner of an upload. Only staff with `customers.edit` may name another customer or make a file public (U2). */
async function ownerOf(ctx: Ctx, caller: Asker, data: UploadData): Promise<{ customer_id: number | null; is_public: boolean }> {
  if (!caller.reception) return { customer_id: caller.customer_id, is_public: false }
  if (data.customer_id) return { customer_id: (await customerById(ctx.db, data.customer_id)).customer_id, is_public: false }
  return data.is_public ? { customer_id: null, is_public: true } : { customer_id: caller.customer_id, is_public: false }
}

interface Prepared {
  kind: FileRow['kind']
  type: string
  ending: string
  size: number
  content: Content
  width: number | null
  height: number | null
  preview_bytes: number | null
  thumbnail: Uint8Array | null
}

/** Detects the type of an upload and prepares it for storage (U3). */
async function prepare({ path }: Arrived, caller: Asker): Promise<Prepared> {
  const { size } = await stat(path)
  if (size === 0) throw refuse('FILE_MISSING')
  if (size > largestFor(caller)) throw tooLarge(largestFor(caller))
  const head = await headOf(path)
  const fileType = kindOf(head)
  if (!fileType) throw refuse(isHeic(head) ? 'FILE_HEIC' : 'FILE_TYPE')
  const no = whyNotKind(fileType.kind, size, caller)
  if (no) throw no
  if (fileType.kind !== 'image') {
    const preview_bytes = fileType.kind === 'video' ? await previewBytes(path, fileType.type) : null
    return { ...fileType, size, content: { path }, width: null, height: null, preview_bytes, thumbnail: null }
  }
  try {
    const { bytes, type, width, height, thumbnail } = await remakeImage(path, fileType.type)
    const ending = type.slice('image/'.length).replace('jpeg', 'jpg')
    return { kind: 'image', type, ending, size: bytes.byteLength, content: { bytes }, width, height, preview_bytes: null, thumbnail }
  } catch (error) {
    if (error instanceof BadImage) throw refuse('FILE_UNREADABLE')
    throw error
  }
}

async function headOf(path: string): Promise<Uint8Array> {
  await using file = await open(path, 'r')
  const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
  return buffer.subarray(0, bytesRead)
}

/** 128 random bits: cannot be guessed. */
const randomName = () => randomBytes(16).toString('base64url')

function storeForNew(ctx: Ctx): FileStore {
  try {
    return ctx.ports.files.forNew()
  } catch (error) {
    ctx.studio.log.error({ error }, 'files.storage_unavailable')
    throw refuse('FILE_STORAGE')
  }
}

/** Renames a file of the caller. NOT_FOUND. */
export async function renameFile(ctx: Ctx, input: { file_id: number; name: string }): Promise<{ file: StoredFile }> {
  const caller = getFileCaller(ctx)
  const row = await ctx.tx(async (tx) => {
    const [before] = await lockFiles(tx, [input.file_id])
    if (!before || !isTheirs(before, caller)) throw refuse('NOT_FOUND')
    const name = fileName(input.name, before.key.split('.').at(-1) ?? '')
    const { file_id, customer_id } = before
    if (caller.reception)
      await ctx.audit(tx, {
        action: 'file.change',
        entity: 'file',
        entity_id: file_id,
        before: { customer_id, name: before.name },
        after: { customer_id, name },
      })
    return updateFile(tx, before.file_id, { name })
  })
  return { file: await serializeFile(ctx, row) }
}

/** Reads and locks a file that is to be deleted. NOT_FOUND. The account module checks whether something still references it (U6). */
export async function lockOwnFile(ctx: Ctx, tx: Tx, file_id: number): Promise<FileRow> {
  const [found] = await lockFiles(tx, [file_id])
  if (!found || !isTheirs(found, getFileCaller(ctx))) throw refuse('NOT_FOUND')
  return found
}

/** Deletes a file: hidden at once, its bytes are deleted by a job (U6). */
export async function dropFile(ctx: Ctx, tx: Tx, row: FileRow): Promise<void> {
  await updateFile(tx, row.file_id, { deletedAt: ctx.now })
  const { file_id, name, customer_id } = row
  if (ctx.may('customers.edit'))
    await ctx.audit(tx, { action: 'file.remove', entity: 'file', entity_id: file_id, before: { name, customer_id } })
  await tx.send({ name: FILE_SWEEP, data: {} })
}

/**
 * Assigns files that a form or profile references to the customer; they must be the customer's already, or uploaded by their own account.
 * NOT_FOUND (U2).
 */
export async function claimFiles(ctx: Ctx, tx: Tx, file_ids: readonly number[], customer_id: number): Promise<FileRow[]> {
  const wanted = [...new Set(file_ids)]
  if (wanted.length === 0) return []
  const caller = getFileCaller(ctx)
  const rows = await lockFiles(tx, wanted)
  if (rows.length !== wanted.length) throw refuse('NOT_FOUND')
  for (const row of rows) {
    const fits =
      row.customer_id === customer_id || (row.customer_id === null && !row.is_public && (caller.reception || row.uid === caller.uid))
    if (!fits) throw refuse('NOT_FOUND')
    if (row.customer_id === null) await updateFile(tx, row.file_id, { customer_id })
  }
  return rows
}

export const FILE_SWEEP = 'file-sweep'

const HOUR = 3_600_000
/** Longer than an upload or an export can be written and sent to the bucket. */
const UNFINISHED_HOURS = 24

/**
 * Deletes the bytes and rows of deleted files, unfinished uploads and uploads of accounts that never became a customer, and what killed
 * processes left (U6). May run concurrently.
 */
export async function sweepFiles(ctx: Ctx): Promise<void> {
  const ago = (hours: number) => new Date(ctx.now.getTime() - hours * HOUR)
  const rows = await listLeftovers(ctx.db, { begun: ago(1), lost: ago(PROSPECT_HOURS) })
  for (const row of rows) {
    try {
      const store = ctx.ports.files.at(row.place)
      await store.remove(row.key)
      if (row.thumbnail_key) await store.remove(row.thumbnail_key)
      await ctx.tx((tx) => eraseFile(tx, row.file_id))
    } catch (error) {
      ctx.studio.log.warn({ error, file_id: row.file_id }, 'file.delete_failed')
    }
  }
  await ctx.ports.files.removeUnfinished(ago(UNFINISHED_HOURS))
}

/** The bytes sent for a URL under FILES_PATH. */
export interface Opened {
  type: string
  is_public: boolean
  disposition: string
  /** Null when ranges of it cannot be requested. */
  size: number | null
  read(range?: { start: number; end: number }): Promise<Stored | null>
}

/** The target of a URL under FILES_PATH; `preview`: the signature of a link to the beginning of a video. */
export interface FileLink {
  name: string
  signature: string | null
  preview: string | null
  isPrivate: boolean
}

/** Opens the file of a URL: a public one, or a private one while its signature is valid. NOT_FOUND (U5, O17). */
export async function openFile(ctx: Ctx, input: FileLink): Promise<Opened> {
  const key = `${input.isPrivate ? PRIVATE : PUBLIC}${input.name}`
  const isWhole = !input.isPrivate || (await isSigned(ctx, LINK_USE, input.name, input.signature))
  if (!isWhole && !(await isSigned(ctx, PREVIEW_USE, input.name, input.preview))) throw refuse('NOT_FOUND')
  const row = await findFileByKey(ctx.db, key)
  if (!row || (!isWhole && (row.preview_bytes === null || row.thumbnail_key === key))) throw refuse('NOT_FOUND')
  const store = ctx.ports.files.at(row.place)
  const read: Opened['read'] = (range) => store.read(key, range)
  if (row.thumbnail_key === key) return { type: 'image/webp', is_public: row.is_public, disposition: 'inline', size: null, read }
  const { type, is_public } = row
  if (!isWhole) return { type, is_public, disposition: disposition(row.kind, row.name), ...beginning(row.preview_bytes ?? 0, read) }
  return { type, is_public, size: row.size, disposition: disposition(row.kind, row.name), read }
}

/** The first bytes of a file, as if it ended there. */
function beginning(size: number, read: Opened['read']): Pick<Opened, 'size' | 'read'> {
  return {
    size,
    async read(range) {
      const stored = await read({ start: range?.start ?? 0, end: Math.min(range?.end ?? size - 1, size - 1) })
      return stored && { ...stored, size }
    },
  }
}

async function isSigned(ctx: Ctx, use: string, name: string, signature: string | null): Promise<boolean> {
  const subject = signature && (await ctx.studio.signer.read(use, signature))
  if (!subject) return false
  const cut = subject.lastIndexOf('.')
  return subject.slice(0, cut) === name && Number(subject.slice(cut + 1)) * 1000 > ctx.now.getTime()
}

/** Creates a temporary path for an upload, calls `take` with it, and always deletes it afterwards. */
export async function withTemporaryFile<T>(ctx: Ctx, take: (path: string) => Promise<T>): Promise<T> {
  const path = join(await ctx.ports.files.folder(), randomUUID())
  try {
    return await take(path)
  } finally {
    await rm(path, { force: true })
  }
}

/** Stores a file from memory, like an upload. */
export async function storeBlob(
  ctx: Ctx,
  input: { file: File; data?: string | undefined },
): Promise<{ file_id: number; file: StoredFile }> {
  if (input.file.size > largestUpload(ctx)) throw tooLarge(largestUpload(ctx))
  return withTemporaryFile(ctx, async (path) => {
    await writeFile(path, input.file.stream())
    return storeFile(ctx, { path, filename: input.file.name }, readUploadData(input.data))
  })
}

/** Parses the JSON sent with a file. INVALID_INPUT. */
export function readUploadData(text: string | undefined): UploadData {
  const read = uploadData.safeParse(jsonOf(text || '{}'))
  if (!read.success) throw refuse('INVALID_INPUT', { issues: [{ path: 'data', message: 'No pudimos leer los datos del archivo.' }] })
  return read.data
}

function jsonOf(text: string): unknown {
  try {
    const { value, unkept } = parseJson(text)
    return unkept === null ? value : null
  } catch {
    return null
  }
}
