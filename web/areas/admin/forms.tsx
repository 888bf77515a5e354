import '#web/features/admin/catalogue/catalogue.css'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { adminPaths } from '#contract/admin-paths.ts'
import type { Form } from '#contract/form-endpoints.ts'
import { ADDRESS_FORM_ID } from '#contract/forms.ts'
import { type AdminHandle, ScreenHead } from '#web/features/admin/frame/admin-frame.tsx'
import { EDIT_SHORTCUT, ROW_SHORTCUTS, useShortcuts } from '#web/features/admin/frame/shortcuts.ts'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { queries } from '#web/lib/api.ts'
import { AppLink } from '#web/lib/link.tsx'
import { Button } from '#web/ui/button.tsx'

export const handle: AdminHandle = { title: 'Formularios' }

const factsOf = ({ form_id, form_fields }: Form): string => {
  const steps = new Set(form_fields.map(({ step }) => step)).size
  return [
    form_fields.length === 1 ? '1 campo' : `${form_fields.length} campos`,
    steps > 1 && `${steps} pasos`,
    form_id === ADDRESS_FORM_ID && 'Son los campos de una dirección',
  ]
    .filter(Boolean)
    .join(' · ')
}

/** Formularios: the questions at sign-up and in the profile. */
export default function Forms() {
  const query = useQuery(queries.forms.admin.forms.all.queryOptions({ meta: { handled: true } }))
  const navigate = useNavigate()
  useShortcuts('Formularios', [
    ...ROW_SHORTCUTS,
    EDIT_SHORTCUT,
    { keys: 'n', label: 'Nuevo formulario', act: () => void navigate(adminPaths.newForm) },
  ])
  const rows = query.data?.forms ?? []
  return (
    <>
      <ScreenHead title="Formularios" about="El del registro y el del perfil se eligen en Ajustes, Registro y cuentas.">
        <Button as={AppLink} to={adminPaths.newForm} icon={<IconPlus className="icon" aria-hidden="true" />}>
          Nuevo formulario
        </Button>
      </ScreenHead>
      <Loaded
        query={query}
        skeleton={<ListSkeleton rows={4} />}
        failed="No pudimos cargar los formularios."
        nothing={rows.length === 0 && <EmptyState>Crea tu primer formulario: salud, emergencias, gustos.</EmptyState>}
      >
        <ul className="panel-card catalogue-list">
          {rows.map((row) => (
            <li key={row.form_id}>
              <AppLink to={adminPaths.form(row.form_id)} className="catalogue-row" data-row>
                <span className="strong">{row.name}</span>
                <span className="small muted">{factsOf(row)}</span>
              </AppLink>
            </li>
          ))}
        </ul>
      </Loaded>
    </>
  )
}
