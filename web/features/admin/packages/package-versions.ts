import type { FieldVersions } from '#web/features/admin/frame/conflict-dialog.tsx'
import { changeNames, diffDrafts, type PackageDraft } from './package-draft.ts'
import { packageSentence } from './package-sentence.ts'

/** What the sentence of a package does not say: each has its own line. */
const OWN_LINES = {
  title: 'Nombre',
  short_description: 'Frase',
  description: 'Descripción',
  sat_key: 'Clave del SAT',
  available: 'A la venta',
  is_home: 'En la portada',
  is_featured: 'La más elegida',
  guests_use_credit: 'Los invitados usan clases',
} as const

const valueText = (value: string | boolean): string => (typeof value === 'boolean' ? (value ? 'Sí' : 'No') : value.trim() || '—')

/** Both versions of a package: texts and switches by field, everything else as the sentence of each, under the names of what differs. */
export function packageVersions(theirs: PackageDraft, mine: PackageDraft, names: Parameters<typeof packageSentence>[1]): FieldVersions[] {
  const changes = diffDrafts(theirs, mine)
  const own = Object.entries(OWN_LINES).filter(([key]) => key in changes) as [keyof typeof OWN_LINES, string][]
  const rest = changeNames(Object.fromEntries(Object.entries(changes).filter(([key]) => !(key in OWN_LINES))))
  const sentence = (draft: PackageDraft) =>
    packageSentence(draft, names)
      .map(({ text }) => text)
      .join(' ')
  return [
    ...own.map(([key, label]) => ({ label, theirs: valueText(theirs[key]), mine: valueText(mine[key]) })),
    ...(rest.length > 0 ? [{ label: `Cambia: ${rest.join(', ')}`, theirs: sentence(theirs), mine: sentence(mine) }] : []),
  ]
}
