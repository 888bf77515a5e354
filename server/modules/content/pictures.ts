/** Images that the studio uploaded, for drawings on the server: icons and receipts. */
import { Refusal } from '#contract/errors.ts'
import { FILES_PATH } from '#contract/file-address.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { openFile } from './files.ts'

/** The bytes of a public image at one of our URLs; null for any other URL, and for an unknown name. Makes no network request. */
export async function publicPicture(ctx: Ctx, address: string): Promise<Uint8Array | null> {
  if (!address.startsWith(`${FILES_PATH}/`)) return null
  const name = address.slice(FILES_PATH.length + 1)
  const file = await openFile(ctx, { name, signature: null, preview: null, isPrivate: false }).catch((error: unknown) => {
    if (error instanceof Refusal && error.code === 'NOT_FOUND') return null
    throw error
  })
  const stored = file?.type.startsWith('image/') ? await file.read() : null
  if (!stored) return null
  const parts: Uint8Array[] = []
  for await (const part of stored.stream) parts.push(part as Uint8Array)
  return Buffer.concat(parts)
}
