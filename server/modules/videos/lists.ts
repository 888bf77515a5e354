/** Types and programs of videos as staff manage them (docs/domain.md, K7 and O11). Their public form is in videos.ts. */
import { asc } from 'drizzle-orm'
import type { Sent } from '#contract/crud.ts'
import type { videos } from '#contract/videos.ts'
import { plainListVerbs } from '#server/modules/crud.ts'
import { program, videoType } from './tables.ts'

type Admin = (typeof videos)['admin']

export const videoTypeList = plainListVerbs({
  table: videoType,
  id: 'video_type_id',
  topic: 'catalogue',
  order: [asc(videoType.sort), asc(videoType.video_type_id)],
  shown: ({ updatedAt, ...row }) => ({ ...row, updatedAt: updatedAt.toISOString() }),
  values: ({ name, sort }: Sent<Admin['videoTypes']>) => ({ name, sort }),
})

export const programList = plainListVerbs({
  table: program,
  id: 'program_id',
  topic: 'catalogue',
  order: [asc(program.sort), asc(program.program_id)],
  shown: ({ updatedAt, ...row }) => ({ ...row, updatedAt: updatedAt.toISOString() }),
  values: ({ name, description, image, sort }: Sent<Admin['programs']>) => ({
    name,
    description,
    image: image === '' ? null : image,
    sort,
  }),
})
