/**
 * Photographs of a demo studio, rendered by scripts/demo-photos.mjs: stored like uploads of the owner, and shown in the hero and on the
 * class types.
 */
import { fileURLToPath } from 'node:url'
import { and, eq } from 'drizzle-orm'
import { Refusal } from '#contract/errors.ts'
import { classType } from '#server/modules/catalogue/tables.ts'
import { dropFile, filesById, storeFile } from '#server/modules/content/files.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { changeSettings } from '#server/modules/settings/settings.ts'
import type { Reader, Tx } from '#server/platform/db.ts'
import { audit } from '#server/platform/tables.ts'
import type { Brand } from './brand.ts'
import { ownerOf } from './videos.ts'
import { type BrandIds, findRows } from './write.ts'

const DONE = 'demo.photos'
const PHOTOS = new URL('./photos/', import.meta.url)

const isMade = async (db: Reader): Promise<boolean> => (await db.$count(audit, and(eq(audit.entity, 'demo'), eq(audit.action, DONE)))) > 0

/** Stores a demo studio's photographs once; `roomy` takes the demo's lock. Does nothing without an owner. */
export async function makePhotos(ctx: Ctx, brand: Brand, brandIds: BrandIds, roomy: (tx: Tx) => Promise<void>): Promise<void> {
  if (!brand.photos || (await isMade(ctx.db))) return
  const owner = await ownerOf(ctx, brand)
  if (!owner) return
  const { hero, types } = brand.photos
  const stored: Record<string, { file_id: number; src: string }> = {}
  try {
    for (const name of new Set([hero, ...Object.values(types)])) {
      const path = fileURLToPath(new URL(`${name}.webp`, PHOTOS))
      const { file } = await storeFile(owner, { path, filename: `${name}.webp` }, { is_public: true })
      stored[name] = file
    }
  } catch (error) {
    // Without file storage the studio starts with drawings; the next start tries again.
    if (!(error instanceof Refusal)) throw error
    ctx.studio.log.warn({ error }, 'demo.photos_skipped')
    return
  }
  const isMine = await ctx.tx(async (tx) => {
    await roomy(tx)
    // Another process was faster: deletes the files stored here.
    if (await isMade(tx)) {
      for (const row of await filesById(
        tx,
        Object.values(stored).map(({ file_id }) => file_id),
      ))
        await dropFile(ctx, tx, row)
      return false
    }
    for (const [type, name] of Object.entries(types))
      await tx
        .update(classType)
        .set({ image: stored[name]?.src ?? null })
        .where(eq(classType.class_type_id, findRows(brandIds.types, type)))
    tx.notify({ topic: 'catalogue' })
    await ctx.audit(tx, { action: DONE, entity: 'demo', entity_id: brand.key, after: { photos: Object.keys(stored).length } })
    return true
  })
  if (isMine) await changeSettings(owner, { hero_image: stored[hero]?.src ?? '' })
}
