/** The fields in which two versions of a video differ, in words. */
import type { FieldVersions } from '#web/features/admin/frame/conflict-dialog.tsx'
import type { VideoDraft } from './video-draft.ts'

export interface Option {
  value: string
  label: string
}

/** What the fields of a video offer. */
export interface VideoOptions {
  types: readonly Option[]
  programs: readonly Option[]
  coaches: readonly Option[]
  classTypes: readonly Option[]
  categories: readonly Option[]
  tags: readonly Option[]
}

const yesNo = (value: boolean) => (value ? 'Sí' : 'No')
const labelOf = (options: readonly Option[], value: string) => options.find((option) => option.value === value)?.label ?? value

const valueTexts = (draft: VideoDraft, options: VideoOptions): Readonly<Record<string, string>> => ({
  'Dirección del video': draft.source === 'url' ? draft.url : '',
  'Archivo del video': draft.source === 'file' ? (draft.file?.name ?? '') : '',
  Muestra: draft.sample?.name ?? '',
  Subtítulos: draft.captions.slice(0, 200),
  Título: draft.name,
  Descripción: draft.description,
  Minutos: draft.duration,
  Imagen: draft.thumbnail,
  'Tipo de video': labelOf(options.types, draft.video_type_id),
  Coach: labelOf(options.coaches, draft.instructor_id),
  Programa: labelOf(options.programs, draft.program_id),
  'Tipo de clase': labelOf(options.classTypes, draft.class_type_id),
  Categoría: labelOf(options.categories, draft.class_category_id),
  Etiquetas: draft.tag_ids.map((id) => labelOf(options.tags, id)).join(', '),
  Destacado: yesNo(draft.featured),
  'Se muestra': yesNo(draft.available),
  'Se publica el': draft.publish.replace('T', ', '),
})

/** Their version and the own one of each field that differs, under the label that the form gives it. */
export function videoVersions(theirs: VideoDraft, mine: VideoDraft, options: VideoOptions): FieldVersions[] {
  const [stored, own] = [valueTexts(theirs, options), valueTexts(mine, options)]
  return Object.keys(stored)
    .map((label) => ({ label, theirs: stored[label] ?? '', mine: own[label] ?? '' }))
    .filter((field) => field.theirs !== field.mine)
}
