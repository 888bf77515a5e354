/**
 * Private files that come with something else, a package's above all (docs/domain.md U8). What stands in the record is the address without a
 * signature, which opens for nobody; whoever may have the file gets one that opens for some minutes.
 */
import { refuse } from '#contract/errors.ts'
import { FILES_PATH } from '#contract/link.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import type { Reader, Tx } from '#server/platform/db.ts'
import { findFileByKey, STUDIO_UID, updateFile } from './file-store.ts'
import { asker, PRIVATE_PATH, privateAddress } from './files.ts'

/** The name under PRIVATE_PATH that an address of ours has, signed or not; null for any other address. */
function privateName(src: string): string | null {
  if (!src.startsWith(PRIVATE_PATH)) return null
  return src.slice(PRIVATE_PATH.length).split('?')[0] ?? ''
}

const wrong = (path: string, message: string) => refuse('INVALID_INPUT', { issues: [{ path, message }] })

/**
 * Takes a file for something that is handed out, and answers what the record keeps. Addresses elsewhere are kept as they are. INVALID_INPUT
 * names `field`: for a file that is not there, that is a customer's, or that everybody can open.
 */
export async function takeGiven(tx: Tx, ctx: Ctx, src: string, field: string): Promise<string> {
  const own = src.startsWith(`${ctx.studio.publicUrl}/`) ? src.slice(ctx.studio.publicUrl.length) : src
  const name = privateName(own)
  if (name === null) {
    const isPublic = own.startsWith(`${FILES_PATH}/`) && (await findFileByKey(tx, own.slice(1).split('?')[0] ?? ''))
    if (isPublic) throw wrong(field, 'Este archivo lo puede abrir cualquiera. Súbelo sin publicarlo: así solo lo descarga quien lo compró.')
    return own
  }
  const row = await findFileByKey(tx, `privado/${name}`)
  const isOurs = row?.key === `privado/${name}` && (row.uid === STUDIO_UID || row.customer_id === null || row.uid === asker(ctx).uid)
  if (!row || !isOurs) throw wrong(field, 'No encontramos ese archivo. Súbelo de nuevo.')
  await updateFile(tx, row.file_id, { uid: STUDIO_UID, customer_id: null })
  return PRIVATE_PATH + name
}

/** A kept address for somebody who may have the file: its name, type and a link that opens now. Null when it is no private file of ours, or gone. */
export async function handOut(db: Reader, ctx: Ctx, src: string): Promise<{ name: string; type: string; src: string } | null> {
  const name = privateName(src)
  const row = name && (await findFileByKey(db, `privado/${name}`))
  return row ? { name: row.name, type: row.type, src: privateAddress(ctx, name) } : null
}
