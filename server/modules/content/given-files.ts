/**
 * Private files attached to records such as packages (docs/domain.md U8). The record stores the URL without a signature, which is always
 * refused; callers who may have the file get a signed URL that is valid for some minutes.
 */
import { refuse } from '#contract/errors.ts'
import { FILES_PATH } from '#contract/file-address.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import type { Reader, Tx } from '#server/platform/db.ts'
import { findFileByKey, STUDIO_UID, updateFile } from './file-store.ts'
import { getFileCaller, PRIVATE_PATH, privateAddress } from './files.ts'

/** The name under PRIVATE_PATH in one of our URLs, signed or not; null for any other URL. */
function privateName(src: string): string | null {
  if (!src.startsWith(PRIVATE_PATH)) return null
  return src.slice(PRIVATE_PATH.length).split('?')[0] ?? ''
}

const wrong = (path: string, message: string) => refuse('INVALID_INPUT', { issues: [{ path, message }] })

/**
 * Validates a file to be attached, makes it the studio's own, and returns the URL that the record stores. External URLs are stored
 * unchanged. INVALID_INPUT names `field` when the file does not exist, belongs to a customer, or is public.
 */
export async function attachFile(tx: Tx, ctx: Ctx, src: string, field: string): Promise<string> {
  const own = src.startsWith(`${ctx.studio.publicUrl}/`) ? src.slice(ctx.studio.publicUrl.length) : src
  const name = privateName(own)
  if (name === null) {
    const isPublic = own.startsWith(`${FILES_PATH}/`) && (await findFileByKey(tx, own.slice(1).split('?')[0] ?? ''))
    if (isPublic) throw wrong(field, 'Este archivo lo puede abrir cualquiera. Súbelo sin publicarlo: así solo lo descarga quien lo compró.')
    return own
  }
  const row = await findFileByKey(tx, `privado/${name}`)
  const isOurs =
    row?.key === `privado/${name}` && (row.uid === STUDIO_UID || row.customer_id === null || row.uid === getFileCaller(ctx).uid)
  if (!row || !isOurs) throw wrong(field, 'No encontramos ese archivo. Súbelo de nuevo.')
  await updateFile(tx, row.file_id, { uid: STUDIO_UID, customer_id: null })
  return PRIVATE_PATH + name
}

/**
 * The stored URL for a caller who may have the file: name, type and a signed link. Null when it is not a private file of ours, or was
 * deleted.
 */
export async function signedFileLink(db: Reader, ctx: Ctx, src: string): Promise<{ name: string; type: string; src: string } | null> {
  const name = privateName(src)
  const row = name && (await findFileByKey(db, `privado/${name}`))
  return row ? { name: row.name, type: row.type, src: privateAddress(ctx, name) } : null
}
