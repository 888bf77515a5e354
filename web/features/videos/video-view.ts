/** The view of the list of videos: search, filters and page, and how they are written in an address. */

import { pageIn } from '#web/lib/list-page.ts'

export interface VideoView {
  /** search text; empty: no search */
  text: string
  coach: number | null
  type: number | null
  program: number | null
  /** maximum duration in minutes, exclusive */
  under: number | null
  /** ids; a video must have at least one of them */
  tags: readonly number[]
  show: VideoShow
  /** counted from 1 */
  page: number
}

export const VIDEO_SHOWS = ['todos', 'favoritos', 'completados'] as const
export type VideoShow = (typeof VIDEO_SHOWS)[number]

/** Durations to choose from, in minutes. */
export const VIDEO_LENGTHS = [15, 30, 45, 60] as const

/** Maximum length of the search text. */
export const SEARCH_LENGTH = 120
/** Limits for values in an address. */
const MOST_TAGS = 20
const MOST_PAGES = 10_000

/** All videos, first page. */
export const everyVideo: VideoView = { text: '', coach: null, type: null, program: null, under: null, tags: [], show: 'todos', page: 1 }

const isId = (value: string): boolean => /^[1-9]\d{0,8}$/.test(value)

/** Reads a view from an address; missing or invalid values are not filtered. */
export function readVideoView(query: URLSearchParams): VideoView {
  const id = (key: string): number | null => {
    const value = query.get(key) ?? ''
    return isId(value) ? Number(value) : null
  }
  const under = id('duracion')
  const tags = (query.get('etiquetas') ?? '').split(',').filter(isId).map(Number)
  return {
    text: toSearchText(query.get('buscar') ?? ''),
    coach: id('coach'),
    type: id('tipo'),
    program: id('programa'),
    under: VIDEO_LENGTHS.find((length) => length === under) ?? null,
    tags: [...new Set(tags)].slice(0, MOST_TAGS),
    show: VIDEO_SHOWS.find((show) => show === query.get('ver')) ?? 'todos',
    page: Math.min(pageIn(query), MOST_PAGES),
  }
}

/** Writes a view to a query; empty for all videos, first page. */
export function writeVideoView(view: VideoView): string {
  const query = new URLSearchParams()
  const text = toSearchText(view.text)
  if (text) query.set('buscar', text)
  if (view.coach) query.set('coach', String(view.coach))
  if (view.type) query.set('tipo', String(view.type))
  if (view.program) query.set('programa', String(view.program))
  if (view.under) query.set('duracion', String(view.under))
  if (view.tags.length) query.set('etiquetas', view.tags.join(','))
  if (view.show !== 'todos') query.set('ver', view.show)
  if (view.page > 1) query.set('pagina', String(view.page))
  // Commas stay readable: URLSearchParams would encode them.
  return query.size ? `?${String(query).replaceAll('%2C', ',')}` : ''
}

/** The typed text in the form that is sent: on one line, without control characters. */
export function toSearchText(text: string): string {
  return text
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, SEARCH_LENGTH)
    .trim()
}

/** Whether search or filters hide videos; page and view do not count. */
export const isFiltered = (view: VideoView): boolean => writeVideoView({ ...view, page: 1, show: 'todos' }) !== ''

/** The input for the API's list, with this number of videos per page. */
export const videoFilters = (view: VideoView, limit: number) => ({
  page: view.page,
  limit,
  ...(view.text ? { query: view.text } : {}),
  ...(view.coach ? { instructor_id: view.coach } : {}),
  ...(view.type ? { video_type_id: view.type } : {}),
  ...(view.program ? { program_id: view.program } : {}),
  // "Menos de 45" excludes 45; the API's limit is inclusive.
  ...(view.under ? { duration: view.under - 1 } : {}),
  ...(view.tags.length ? { tags: view.tags.join(',') } : {}),
  ...(view.show === 'favoritos' ? { favorites: true } : {}),
  ...(view.show === 'completados' ? { completed: true } : {}),
})
