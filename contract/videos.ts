/** Online videos: access, playback, favourites and ratings (spec 2 sections 2-4, 7 and 8; docs/domain.md, "Videos"). */
import * as z from 'zod'
import { CAPTIONS_MAX, CAPTIONS_WRONG, isWebVtt } from './captions.ts'
import { catalogueTag, classType, instructor } from './catalogue.ts'
import { crud, draftId, versioned } from './crud.ts'
import { type Access, done, endpoint, id, instant, pageNumber, paragraph, pathId, refusals, singleLine, unlessNull } from './endpoint.ts'
import { file } from './files.ts'
import { link } from './link-fields.ts'

/** Videos per page (S2-9.06). */
export const VIDEOS_PER_PAGE = 32
/** Videos per page on a phone. */
export const VIDEOS_PER_PHONE_PAGE = 12
/** Maximum characters of a title and of a description on a card (S2-9.07, S2-9.08). */
export const VIDEO_CARD = { title: 35, description: 60 } as const

/** The element that plays the video; `host` is null for an uploaded file, whose link is valid for some hours only. */
const embed = z.object({ kind: z.enum(['iframe', 'file']), src: z.string(), host: z.string().nullable() })

/** Where the viewer stopped, in seconds. */
const progress = z.object({
  position: z.int().describe('En qué segundo se quedó.'),
  length: z.int().describe('Cuántos segundos dura.'),
})

const videoType = z.object({ video_type_id: id, name: z.string() })

/** A video for one viewer (S2-3.19). */
export const video = z.object({
  video_id: id,
  name: z.string(),
  description: z.string(),
  /** In minutes. */
  duration: z.int(),
  /** URL of an external video. Null in every list, and when the viewer may not watch it (O3). */
  url: z.string().nullable(),
  /** The uploaded video file. Null like `url`. */
  file: file.pick({ file_id: true, name: true, type: true, src: true }).nullable(),
  /** How to play it, derived from `url` or `file`. Null like `url`. */
  embed: embed.nullable(),
  /** Of an uploaded film, in the WebVTT format. Null like `url`, and without captions (O19). */
  captions: z.string().nullable(),
  /** URL of an image; null = a drawing of its class type. */
  thumbnail: z.string().nullable(),
  instructor: instructor
    .pick({ instructor_id: true, name: true, last_name: true, nick_name: true, birthdate: true, file: true })
    .nullable(),
  video_type: videoType.nullable(),
  program: z.object({ program_id: id, name: z.string() }).nullable(),
  class_type: classType.pick({ class_type_id: true, name: true, icon: true, image: true }).nullable(),
  class_category_id: id.nullable(),
  tags: z.array(catalogueTag.omit({ type: true })),
  /** The viewer's own, at most one: those of others are private. */
  playbacks: z.array(z.object({ customer_id: id, startedAt: instant.nullable(), completedAt: instant.nullable(), createdAt: instant })),
  completed: z.boolean(),
  /** Null for a video that was not started, is at its beginning, or is over (O18). */
  progress: progress.nullable().describe('Dónde se quedó; null si no lo ha empezado o ya lo terminó.'),
  /** 1 when it is a favourite of the viewer (S2-4.26). */
  favorite: z.union([z.literal(0), z.literal(1)]),
  /** The viewer's rating. */
  rating: z.object({ stars: z.int(), comment: z.string() }).nullable(),
  featured: z.boolean(),
  /** False: only staff see it. */
  available: z.boolean(),
  /** From when on it can be watched. */
  published_at: instant,
  /** The same as local time written as UTC (settled 2). */
  publish_date: instant,
})
export type Video = z.infer<typeof video>

/** A program: an ordered series of videos, e.g. a course or challenge. */
export const program = z.object({
  program_id: id,
  name: z.string(),
  description: z.string(),
  image: z.string().nullable(),
  /** Published videos, their total minutes, and how many of them the viewer completed. */
  videos: z.int(),
  duration: z.int(),
  completed: z.int(),
})
export type Program = z.infer<typeof program>

/** The longest film, in seconds: a day. */
const MOST_SECONDS = 86_400

/** A boolean in a query. */
const queryBoolean = z.union([z.boolean(), z.enum(['true', 'false', '1', '0']).transform((text) => text === 'true' || text === '1')])

/** Ids in a query, "3,8,12": a video matches with any of them. */
const ids = z
  .string()
  .regex(/^[1-9]\d{0,9}(,[1-9]\d{0,9}){0,19}$/)
  .transform((text) => text.split(',').map(Number))
  .pipe(z.array(id))

/** Filters of a list (S2-3.21); all given ones must match. */
const filters = z.object({
  page: pageNumber.default(1),
  limit: z
    .union([
      z.int(),
      z
        .string()
        .regex(/^\d{1,2}$/)
        .transform(Number),
    ])
    .pipe(z.int().min(1).max(VIDEOS_PER_PAGE))
    .default(VIDEOS_PER_PAGE)
    .describe('Cuántos por página, 32 cuando mucho.'),
  tag_id: pathId.optional(),
  /** Several tags: "3,8". */
  tags: z.union([z.array(pathId).min(1).max(20), ids]).optional(),
  class_category_id: pathId.optional(),
  class_type_id: pathId.optional(),
  instructor_id: pathId.optional(),
  video_type_id: pathId.optional(),
  program_id: pathId.optional(),
  /** True: only completed videos; false: only others. */
  completed: queryBoolean.optional(),
  /** True: only favourites; false: only others. */
  favorites: queryBoolean.optional(),
  /** Maximum length in minutes. */
  duration: z
    .union([
      z.int(),
      z
        .string()
        .regex(/^\d{1,4}$/)
        .transform(Number),
    ])
    .pipe(z.int().min(1).max(1_440))
    .optional(),
  /** Words in name, description, instructor, type, program or tags, ignoring accents. */
  query: singleLine(120).optional(),
})
export type VideoFilters = z.infer<typeof filters>

const list = z.object({ videos: z.array(video), total: z.int(), pages: z.int() })
const videoOutput = z.object({ video })
const named = z.object({ video_id: pathId })
const meant = z.object({ video_id: id })

/** VIDEOS_DISABLED when videos are switched off; NO_CUSTOMER for accounts that are neither customer nor staff. */
const reading = (path: `/${string}`, summary: string) =>
  endpoint('GET', path, 'identity', 'Videos', summary).errors(refusals('VIDEOS_DISABLED', 'NO_CUSTOMER'))
const marking = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: `/${string}`, summary: string) =>
  endpoint(method, path, 'customer', 'Videos', summary).errors(refusals('VIDEOS_DISABLED'))

const STAFF = 'staff:videos.edit' satisfies Access
const name = singleLine(120).min(1, 'Debes llenar este campo.')
const sort = z.int().min(0).max(100_000).optional()

/** Writable fields of a video. Either `url` or `file_id` is required when it is saved. */
const written = z.object({
  name,
  description: paragraph(4_000).optional(),
  /** In minutes. */
  duration: z.int().min(1, 'Escribe cuántos minutos dura.').max(1_440, 'Escribe cuántos minutos dura.'),
  /** A URL of YouTube, Vimeo, Wistia, Cloudflare Stream, Bunny, Loom or Mux, or of an .mp4 or .webm file (VIDEO_ADDRESS). */
  url: z.string().trim().max(2_000).nullish(),
  /** An uploaded video file. */
  file_id: id.nullish(),
  /** An uploaded video file of at most SAMPLE_MEGABYTES, which anybody may watch before buying (O17). */
  sample_file_id: id.nullish(),
  /** Captions of the uploaded file, in the WebVTT format. Another file, or an address, removes those that were stored (O19). */
  captions: paragraph(CAPTIONS_MAX).refine(isWebVtt, CAPTIONS_WRONG).nullish(),
  thumbnail: link.nullish(),
  instructor_id: id.nullish(),
  video_type_id: id.nullish(),
  program_id: id.nullish(),
  /** Position in its program. */
  program_order: z.int().min(0).max(10_000).optional(),
  class_type_id: id.nullish(),
  class_category_id: id.nullish(),
  /** Tags of type `video`; replaces the whole list. */
  tag_ids: z.array(id).max(20).optional(),
  featured: z.boolean().optional(),
  /** False: only staff see it. */
  available: z.boolean().optional(),
  /** When it is published; until then it is listed as upcoming. */
  published_at: instant.optional(),
})

/** Hidden: only staff see it. Scheduled: its instant has not come (O4). */
const studioVideoState = z.enum(['published', 'scheduled', 'hidden'])
export type StudioVideoState = z.infer<typeof studioVideoState>

/** A video for staff. */
export const studioVideo = video
  .omit({ playbacks: true, completed: true, progress: true, favorite: true, rating: true, tags: true })
  .extend({
    tags: z.array(catalogueTag),
    sample: file
      .pick({ file_id: true, name: true, type: true, src: true })
      .nullable()
      .describe('Clip que cualquiera puede ver antes de comprar; null si no tiene.'),
    program_order: z.int().describe('Lugar en su programa.'),
    state: studioVideoState.describe('`published`: se puede ver; `scheduled`: aún no llega su fecha; `hidden`: solo lo ve el equipo.'),
    views: z.int().describe('Cuántas personas lo empezaron.'),
    completed: z.int().describe('Cuántas personas lo completaron.'),
    favorites: z.int().describe('De cuántas personas es favorito.'),
    ratings: z.int().describe('Cuántas calificaciones tiene.'),
    rating: z.number().nullable().describe('Promedio de sus calificaciones, de 1 a 5; null sin ninguna.'),
    updatedAt: instant.describe('Cuándo se cambió. Se regresa como `if_updatedAt`.'),
  })
export type StudioVideo = z.infer<typeof studioVideo>

/** Videos of the administration per page. */
export const STUDIO_VIDEOS_PER_PAGE = 50

const studioVideoFilter = z.object({
  page: pageNumber.default(1),
  query: filters.shape.query,
  state: studioVideoState.optional().describe('Solo los publicados, los programados o los ocultos.'),
  video_type_id: pathId.optional(),
  program_id: pathId.optional(),
  instructor_id: pathId.optional(),
  sort: z
    .enum(['-published', 'name', '-views', '-rating'])
    .default('-published')
    .describe('El orden: por fecha de publicación, por título, por cuántos lo vieron o por calificación; con `-`, de mayor a menor.'),
})
export type StudioVideoFilter = z.infer<typeof studioVideoFilter>
const videoAnswer = z.object({ video: studioVideo })
/** Ratings per page. */
export const RATINGS_PER_PAGE = 50
const studioRating = z.object({
  customer_id: id,
  name: z.string(),
  last_name: z.string(),
  stars: z.int(),
  comment: z.string(),
  updatedAt: instant,
})
const programVideo = studioVideo.pick({ video_id: true, name: true, duration: true, thumbnail: true, state: true })
export type ProgramVideo = z.infer<typeof programVideo>
const ordered = z.object({ videos: z.array(programVideo) })
const saving = refusals('VIDEO_NOT_FOUND', 'VIDEO_ADDRESS')

export const videos = {
  /**
   * Published videos, newest first, 32 per page (S2-3.20, S2-3.21, S2-7.17). `featured`: the one marked as featured, otherwise the newest,
   * regardless of filters; `can_watch`: whether the viewer has an active online membership (O2).
   */
  list: reading('/videos', 'Videos')
    .input(filters)
    .output(list.extend({ featured: video.nullable(), can_watch: z.boolean() })),
  /** Videos to be published, soonest first (S2-7.18). */
  upcoming: reading('/videos/upcoming', 'Próximos videos')
    .input(z.object({ page: pageNumber.default(1) }))
    .output(list),
  /** Published videos that the viewer began and did not finish, the last one watched first, at most 8 (O18). */
  unfinished: reading('/videos/unfinished', 'Videos que dejé a medias').output(z.object({ videos: z.array(video) })),
  /** Videos with a tag, by its id or its name (S2-7.19). */
  ofTag: reading('/videos/tag/{tag}', 'Videos de una etiqueta')
    .input(z.object({ tag: singleLine(60).min(1), page: pageNumber.default(1) }))
    .errors(refusals('NOT_FOUND'))
    .output(list),
  /** Videos of a program, in its order (S2-7.20). */
  ofProgram: reading('/videos/program/{program}', 'Videos de un programa')
    .input(z.object({ program: pathId, page: pageNumber.default(1) }))
    .errors(refusals('NOT_FOUND'))
    .output(list),
  /**
   * One video with playback data (S2-7.21). VIDEO_NEEDS_PURCHASE without an active online membership: its data has `video_id`, `name`,
   * `description`, `duration`, `thumbnail`, `coach`, `class_type`, `icon`, `image`, `preview` and `preview_captions` (O17), for the page
   * that offers the purchase. Staff see all, also unpublished ones.
   */
  one: reading('/videos/{video_id}', 'Un video')
    .input(named)
    .errors(refusals('VIDEO_NOT_FOUND', 'VIDEO_NEEDS_PURCHASE'))
    .output(videoOutput),
  /** Starts playback: access is checked again, the start is stored once, and the response has a fresh link (O7). */
  play: marking('PUT', '/videos/{video_id}/play', 'Empezar a ver un video')
    .input(named)
    .errors(refusals('VIDEO_NOT_FOUND', 'VIDEO_NEEDS_PURCHASE'))
    .output(videoOutput),
  /** Stores where the viewer stopped; at the end of the film it is completed instead (O18). */
  progress: marking('PUT', '/videos/{video_id}/progress', 'Guardar en qué segundo va un video')
    .input(
      named.extend({
        position: z.int().min(0).max(MOST_SECONDS).describe('En qué segundo va.'),
        length: z.int().min(1).max(MOST_SECONDS).describe('Cuántos segundos dura.'),
      }),
    )
    .errors(refusals('VIDEO_NOT_FOUND', 'VIDEO_NEEDS_PURCHASE'))
    .output(z.object({ video_id: id, progress: video.shape.progress, completed: z.boolean() })),
  /** Idempotent (S2-4.27, S2-7.24). */
  complete: marking('PUT', '/videos/{video_id}/complete', 'Marcar como completado')
    .input(named)
    .errors(refusals('VIDEO_NOT_FOUND', 'VIDEO_NEEDS_PURCHASE'))
    .output(z.object({ video_id: id, completed: z.boolean() })),
  uncomplete: marking('PUT', '/videos/{video_id}/uncomplete', 'Quitar de los completados')
    .input(named)
    .errors(refusals('VIDEO_NOT_FOUND'))
    .output(z.object({ video_id: id, completed: z.boolean() })),
  /** Rates a video with stars and a comment; one rating per customer, a new one replaces it (S2-7.22). */
  rate: marking('POST', '/videos/rating', 'Calificar un video')
    .input(meant.extend({ stars: z.int().min(1).max(5), comment: unlessNull(paragraph(1_000)) }))
    .errors(refusals('VIDEO_NOT_FOUND', 'VIDEO_NEEDS_PURCHASE'))
    .output(z.object({ rating: z.object({ video_id: id, stars: z.int(), comment: z.string() }) })),
  /** Emails the caller the link to rate it, at most once a day per video (S2-7.23). */
  rateByMail: marking('POST', '/videos/rating/email', 'Enviarme el enlace para calificar un video')
    .input(meant)
    .errors(refusals('VIDEO_NOT_FOUND', 'VIDEO_NEEDS_PURCHASE'))
    .output(done),
  /** The caller's favourites that are published, last added first (S2-7.26). */
  favorites: marking('GET', '/favorites', 'Mis videos favoritos').output(z.object({ favorites: z.array(video) })),
  /** Idempotent (S2-4.26, S2-7.27). */
  addFavorite: marking('POST', '/favorites', 'Agregar un favorito')
    .input(meant)
    .errors(refusals('VIDEO_NOT_FOUND'))
    .output(z.object({ video_id: id, favorite: z.literal(1) })),
  /** Favourites are identified by their video (S2-7.28). Idempotent. */
  removeFavorite: marking('DELETE', '/favorites/{video_id}', 'Quitar un favorito')
    .input(named)
    .errors(refusals('VIDEO_NOT_FOUND'))
    .output(z.object({ video_id: id, favorite: z.literal(0) })),
  /** The studio's video types (S2-7.29). */
  types: reading('/video_types', 'Tipos de video').output(z.object({ video_types: z.array(videoType) })),
  /** Programs with the viewer's progress (S2-7.30). */
  programs: reading('/programs', 'Programas').output(z.object({ programs: z.array(program) })),
  /** S2-7.31. */
  program: reading('/programs/{program_id}', 'Un programa')
    .input(z.object({ program_id: pathId }))
    .errors(refusals('NOT_FOUND'))
    .output(z.object({ program })),
  admin: {
    /** Videos for staff, 50 per page, whatever their state, also while videos are switched off (O14). */
    videos: {
      all: endpoint('GET', '/videos/admin/all', STAFF, 'Videos', 'Todo lo guardado: videos')
        .input(studioVideoFilter)
        .output(z.object({ videos: z.array(studioVideo), total: z.int(), pages: z.int() })),
      one: endpoint('GET', '/videos/admin/{video_id}', STAFF, 'Videos', 'Un video, como lo administra el estudio')
        .input(named)
        .errors(refusals('VIDEO_NOT_FOUND'))
        .output(videoAnswer),
      /** Ratings of a video, latest first, 50 per page. */
      ratings: endpoint('GET', '/videos/{video_id}/ratings', STAFF, 'Videos', 'Lo que dijeron de un video')
        .input(named.extend({ page: pageNumber.default(1) }))
        .errors(refusals('VIDEO_NOT_FOUND'))
        .output(z.object({ ratings: z.array(studioRating), total: z.int(), pages: z.int() })),
      create: endpoint('POST', '/videos', STAFF, 'Videos', 'Crear un video, o guardar cambios si lleva su id')
        .input(written.extend({ video_id: draftId }))
        .errors({ ...saving, ...refusals('IDEMPOTENCY_KEY_REUSED') })
        .output(videoAnswer),
      update: endpoint('PUT', '/videos', STAFF, 'Videos', 'Cambiar un video: solo lo que se envía')
        .input(written.partial().extend({ video_id: draftId, if_updatedAt: instant.nullish() }))
        .errors(refusals('VIDEO_NOT_FOUND', 'VIDEO_ADDRESS', 'CHANGED_MEANWHILE'))
        .output(videoAnswer),
      remove: endpoint('DELETE', '/videos/{video_id}', STAFF, 'Videos', 'Eliminar un video')
        .input(named)
        .errors(refusals('VIDEO_NOT_FOUND'))
        .output(done),
    },
    /** Removing a type or program keeps its videos, without it (O11). */
    videoTypes: crud({
      path: '/video_types',
      one: 'video_type',
      many: 'video_types',
      id: 'video_type_id',
      tag: 'Videos',
      called: 'tipos de video',
      access: STAFF,
      fields: { ...versioned.sent, name, sort },
      row: { ...versioned.row, name: z.string(), sort: z.int() },
    }),
    programs: crud({
      path: '/programs',
      one: 'program',
      many: 'programs',
      id: 'program_id',
      tag: 'Videos',
      called: 'programas',
      access: STAFF,
      fields: { ...versioned.sent, name, description: paragraph(2_000).optional(), image: link.nullish(), sort },
      row: { ...versioned.row, name: z.string(), description: z.string(), image: z.string().nullable(), sort: z.int() },
    }),
    /** The videos of a program in its order, in every state (O16). */
    programVideos: endpoint('GET', '/programs/{program_id}/videos', STAFF, 'Videos', 'Los videos de un programa, en su orden')
      .input(z.object({ program_id: pathId }))
      .errors(refusals('NOT_FOUND'))
      .output(ordered),
    /** CHANGED_MEANWHILE when the program has other videos by now (O16). */
    orderProgram: endpoint('PUT', '/programs/{program_id}/videos', STAFF, 'Videos', 'Ordenar los videos de un programa')
      .input(
        z.object({ program_id: pathId, video_ids: z.array(id).max(500).describe('Todos los videos del programa, en su nuevo orden.') }),
      )
      .errors(refusals('NOT_FOUND', 'CHANGED_MEANWHILE'))
      .output(ordered),
  },
}
