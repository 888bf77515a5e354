/** The draft of a video in its form, and its conversion for the API. */
import { fromWallClock, wallClock } from '#contract/time.ts'
import type { StudioVideo, StudioVideoState } from '#contract/videos.ts'
import { proposalOf } from './video-proposal.ts'

export interface VideoDraft {
  name: string
  description: string
  duration: string
  source: 'url' | 'file'
  url: string
  file: { file_id: number; name: string; src: string } | null
  /** the clip that anybody may watch before buying */
  sample: { file_id: number; name: string; src: string } | null
  /** WebVTT of the file; '' = none */
  captions: string
  thumbnail: string
  video_type_id: string
  program_id: string
  instructor_id: string
  class_type_id: string
  class_category_id: string
  tag_ids: readonly string[]
  featured: boolean
  available: boolean
  /** local date and time of the studio, as the field has it; '' = now */
  publish: string
}

export const NEW_VIDEO: VideoDraft = {
  name: '',
  description: '',
  duration: '',
  source: 'url',
  url: '',
  file: null,
  sample: null,
  captions: '',
  thumbnail: '',
  video_type_id: '',
  program_id: '',
  instructor_id: '',
  class_type_id: '',
  class_category_id: '',
  tag_ids: [],
  featured: false,
  available: true,
  publish: '',
}

const idText = (id: number | null | undefined): string => (id === null || id === undefined ? '' : String(id))

export const draftOfVideo = (video: StudioVideo, zone: string): VideoDraft => ({
  name: video.name,
  description: video.description,
  duration: String(video.duration),
  source: video.file ? 'file' : 'url',
  url: video.url ?? '',
  file: video.file,
  sample: video.sample,
  thumbnail: video.thumbnail ?? '',
  video_type_id: idText(video.video_type?.video_type_id),
  program_id: idText(video.program?.program_id),
  instructor_id: idText(video.instructor?.instructor_id),
  class_type_id: idText(video.class_type?.class_type_id),
  class_category_id: idText(video.class_category_id),
  tag_ids: video.tags.map(({ tag_id }) => String(tag_id)),
  featured: video.featured,
  available: video.available,
  captions: video.captions ?? '',
  publish: wallClock(new Date(video.published_at), zone).toISOString().slice(0, 16),
})

const idOrNull = (text: string): number | null => (text === '' ? null : Number(text))

/** Converts a draft for the API. Without a date a new video is published at once. */
export function videoFields(draft: VideoDraft, zone: string) {
  const { source, publish } = draft
  return {
    name: draft.name.trim(),
    description: draft.description.trim(),
    duration: Number(draft.duration),
    thumbnail: draft.thumbnail || null,
    url: source === 'url' ? draft.url.trim() : null,
    file_id: source === 'file' ? (draft.file?.file_id ?? null) : null,
    sample_file_id: draft.sample?.file_id ?? null,
    captions: source === 'file' && draft.captions ? draft.captions : null,
    video_type_id: idOrNull(draft.video_type_id),
    program_id: idOrNull(draft.program_id),
    instructor_id: idOrNull(draft.instructor_id),
    class_type_id: idOrNull(draft.class_type_id),
    class_category_id: idOrNull(draft.class_category_id),
    tag_ids: draft.tag_ids.map(Number),
    featured: draft.featured,
    available: draft.available,
    ...(publish ? { published_at: fromWallClock(new Date(`${publish}Z`), zone).toISOString() } : {}),
  }
}
type VideoFields = ReturnType<typeof videoFields>

/** The fields that differ from what is stored; of a new video all. */
export function changedVideoFields(draft: VideoDraft, stored: VideoDraft | null, zone: string): Partial<VideoFields> {
  const fields = videoFields(draft, zone)
  if (!stored) return fields
  const before = videoFields(stored, zone)
  return Object.fromEntries(
    Object.entries(fields).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(before[key as keyof VideoFields])),
  )
}

/** The draft with another address, and with what the address proposes where nothing was typed. */
export function withAddress(draft: VideoDraft, url: string): VideoDraft {
  const proposal = proposalOf(url)
  const former = proposalOf(draft.url)
  const isProposed = (value: string, of: string | null | undefined) => value === '' || value === of
  return {
    ...draft,
    url,
    name: proposal?.name && isProposed(draft.name, former?.name) ? proposal.name : draft.name,
    thumbnail: proposal && isProposed(draft.thumbnail, former?.thumbnail) ? (proposal.thumbnail ?? '') : draft.thumbnail,
  }
}

const NEEDED = 'Debes llenar este campo.'

/** What is wrong with the typed fields, by field. The server checks everything again. */
export function videoProblems(draft: VideoDraft): Partial<Record<keyof VideoDraft, string>> {
  const found: Partial<Record<keyof VideoDraft, string>> = {}
  if (draft.name.trim() === '') found.name = NEEDED
  if (!/^\s*\d{1,4}\s*$/.test(draft.duration) || Number(draft.duration) < 1 || Number(draft.duration) > 1_440)
    found.duration = 'Escribe cuántos minutos dura.'
  if (draft.source === 'file' && !draft.file) found.file = 'Elige el archivo del video.'
  if (draft.source === 'url') {
    if (draft.url.trim() === '') found.url = NEEDED
    else if (!proposalOf(draft.url))
      found.url =
        'Esa dirección no se puede reproducir. Usa YouTube, Vimeo, Wistia, Cloudflare Stream, Bunny, Loom, Mux, o un archivo .mp4 o .webm.'
  }
  return found
}

/** The state of a video in one word. */
export const VIDEO_STATES: Readonly<Record<StudioVideoState, string>> = {
  published: 'Publicado',
  scheduled: 'Programado',
  hidden: 'Oculto',
}
