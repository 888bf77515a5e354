import { useQuery } from '@tanstack/react-query'
import { instructorName } from '#contract/copy/instructor-names.ts'
import { roleLabels } from '#contract/role-labels.ts'
import { ConflictDialog, differingFields, VersionsTable } from '#web/features/admin/frame/conflict-dialog.tsx'
import { queries } from '#web/lib/api.ts'
import type { MemberForm } from './membership-fields.tsx'
import { rightLabel } from './team-text.ts'

export interface MemberVersion extends MemberForm {
  name: string
}

interface MemberConflictProps {
  /** the refusal's sentence: who changed it and when */
  message: string
  theirs: MemberVersion
  mine: MemberVersion
  onTakeTheirs: () => void
  onSaveMine: () => void
  onClose: () => void
}

/** Both versions of a member's name, role, rights and locations, when another person changed them meanwhile. */
export default function MemberConflict({ message, theirs, mine, ...verbs }: MemberConflictProps) {
  const lists = { staleTime: 300_000, meta: { handled: true } }
  const locations = useQuery(queries.catalogue.locations.queryOptions(lists)).data?.locations ?? []
  const coaches = useQuery(queries.catalogue.instructors.queryOptions(lists)).data?.instructors ?? []
  const valueTexts = (of: MemberVersion) => {
    const coach = coaches.find(({ instructor_id }) => instructor_id === of.instructor_id)
    return {
      Nombre: of.name,
      Función: roleLabels[of.role],
      'Permisos que se le dan': of.rights_added.map(rightLabel).join(', '),
      'Permisos que se le quitan': of.rights_removed.map(rightLabel).join(', '),
      'Estudios donde trabaja':
        of.location_ids === null
          ? 'Todos'
          : locations.flatMap(({ location_id, name }) => (of.location_ids?.includes(location_id) ? [name] : [])).join(', '),
      'Su perfil de coach': of.instructor_id === null ? 'No da clases' : coach ? instructorName(coach) : '',
    }
  }
  return (
    <ConflictDialog title={`Alguien más cambió a ${theirs.name}`} message={message} {...verbs}>
      <VersionsTable mergesRest fields={differingFields(theirs, mine, valueTexts)} />
    </ConflictDialog>
  )
}
