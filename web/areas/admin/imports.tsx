import { IconDownload, IconFileSpreadsheet } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { type ImportKind, type ImportSource, type ImportView, importKinds, importSources } from '#contract/imports.ts'
import { formatInstant } from '#contract/time.ts'
import { type AdminHandle, ScreenHead } from '#web/features/admin/frame/admin-frame.tsx'
import { may, useStaff } from '#web/features/admin/frame/staff.tsx'
import { IMPORT_EVERYWHERE, KIND_HELP } from '#web/features/admin/imports/import-text.ts'
import { isWholeStudioOnly, WholeStudioOnly } from '#web/features/admin/imports/whole-studio.tsx'
import '#web/features/admin/imports/imports.css'
import '#web/features/admin/team/team.css'
import { adminPaths } from '#contract/admin-paths.ts'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { api, queries } from '#web/lib/api.ts'
import { alertFailure } from '#web/lib/errors.ts'
import { AppLink } from '#web/lib/link.tsx'
import { useSite } from '#web/lib/settings.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Select } from '#web/ui/field.tsx'

export const handle: AdminHandle = { title: 'Importar' }

const SOURCES = Object.entries(importSources) as [ImportSource, string][]
const KINDS = Object.entries(importKinds) as [ImportKind, string][]
const STATES: Readonly<Record<ImportView['state'], string>> = {
  draft: 'Sin terminar',
  running: 'En curso',
  done: 'Hecha',
  undoing: 'Deshaciéndose',
  undone: 'Deshecha',
}

/** Importar: where the customers come from, and what was imported before. */
export default function Imports() {
  const site = useSite()
  const navigate = useNavigate()
  const [kind, setKind] = useState<ImportKind>('customers')
  const query = useQuery(queries.imports.list.queryOptions({ meta: { handled: true } }))
  const begin = useMutation({
    meta: { handled: true },
    mutationFn: (source: ImportSource) => api.imports.create({ source, kind }),
    onSuccess: ({ import_id }) => void navigate(adminPaths.import(import_id)),
    onError: alertFailure,
  })
  const staff = useStaff()
  const rows = query.data?.imports ?? []
  if (isWholeStudioOnly(query)) return <WholeStudioOnly title="Importar">{IMPORT_EVERYWHERE}</WholeStudioOnly>
  return (
    <>
      <ScreenHead
        title="Importar"
        about="Trae a tus clientes, tu horario y sus reservaciones. Primero es un ensayo: no se escribe nada ni se avisa a nadie."
      >
        {may(staff, 'data.export') && (
          <Button as={AppLink} to={adminPaths.exports} variant="outline" icon={<IconDownload className="icon" aria-hidden="true" />}>
            Exportar todo
          </Button>
        )}
      </ScreenHead>
      <div className="import-kind">
        <Select
          label="Qué trae el archivo"
          hint={KIND_HELP[kind]}
          value={kind}
          onChange={(event) => setKind(event.currentTarget.value as ImportKind)}
        >
          {KINDS.map(([key, label]) => (
            <option key={key} value={key}>
              {label}
            </option>
          ))}
        </Select>
      </div>
      <h2 className="t3 import-heading">¿De dónde viene?</h2>
      <ul className="import-sources">
        {SOURCES.map(([source, label]) => (
          <li key={source}>
            <Button variant="outline" full loading={begin.isPending && begin.variables === source} onClick={() => begin.mutate(source)}>
              {label}
            </Button>
          </li>
        ))}
      </ul>
      <Loaded
        query={query}
        skeleton={<ListSkeleton rows={3} />}
        failed="No pudimos cargar las importaciones."
        nothing={rows.length === 0 && <span />}
      >
        <h2 className="t3 import-heading">Importaciones</h2>
        <ul className="panel-card team-list" aria-label="Importaciones">
          {rows.map((row) => (
            <li key={row.import_id}>
              <AppLink className="team-row" to={adminPaths.import(row.import_id)}>
                <IconFileSpreadsheet className="icon muted" aria-hidden="true" />
                <span className="team-who">
                  <span className="team-name">
                    <span className="strong">{row.file_name ?? `Sin archivo · ${importSources[row.source]}`}</span>
                    <Badge tone={row.state === 'done' ? 'ok' : 'neutral'}>{STATES[row.state]}</Badge>
                  </span>
                  <span className="small muted">
                    {importSources[row.source]} · {importKinds[row.kind]} · {row.created_by}
                  </span>
                </span>
                <span className="small muted">{formatInstant(new Date(row.createdAt), site.zone, 'class')}</span>
              </AppLink>
            </li>
          ))}
        </ul>
      </Loaded>
    </>
  )
}
