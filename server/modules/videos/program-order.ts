/** The order of the videos of a program (docs/domain.md, O16). */
import { refuse } from '#contract/errors.ts'
import { linkOrNull } from '#contract/link.ts'
import type { ProgramVideo } from '#contract/videos.ts'
import { refuseChanged } from '#server/modules/changed-meanwhile.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { videoState } from './rules.ts'
import { hasProgram, listProgramVideos, lockProgram, reorderPrograms } from './studio-store.ts'

/** The videos of a program in its order, in every state. NOT_FOUND. */
export async function programVideos(ctx: Ctx, { program_id }: { program_id: number }): Promise<{ videos: ProgramVideo[] }> {
  if (!(await hasProgram(ctx.db, program_id))) throw refuse('NOT_FOUND')
  const rows = await listProgramVideos(ctx.db, program_id)
  return {
    videos: rows.map((row) => ({
      video_id: row.video_id,
      name: row.name,
      duration: row.duration,
      thumbnail: linkOrNull(row.thumbnail),
      state: videoState(row, ctx.now),
    })),
  }
}

/** Stores the order of the videos of a program. NOT_FOUND, CHANGED_MEANWHILE when it has other videos by now. */
export async function orderProgram(
  ctx: Ctx,
  input: { program_id: number; video_ids: readonly number[] },
): Promise<{ videos: ProgramVideo[] }> {
  const { program_id, video_ids } = input
  await ctx.tx(async (tx) => {
    if (!(await lockProgram(tx, program_id))) throw refuse('NOT_FOUND')
    const before = (await listProgramVideos(tx, program_id)).map(({ video_id }) => video_id)
    const isSame =
      before.length === video_ids.length && new Set(video_ids).size === before.length && before.every((id) => video_ids.includes(id))
    if (!isSame) throw refuseChanged(ctx, null, null)
    await reorderPrograms(tx, video_ids)
    await ctx.audit(tx, {
      action: 'program.change',
      entity: 'program',
      entity_id: program_id,
      before: { video_ids: before },
      after: { video_ids },
    })
    tx.notify({ topic: 'catalogue' })
  })
  return programVideos(ctx, { program_id })
}
