import '#web/features/admin/catalogue/catalogue.css'
import '#web/features/admin/content/page.css'
import { IconPlus } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { adminPaths } from '#contract/admin-paths.ts'
import type { StaffPage } from '#contract/content.ts'
import { paths } from '#contract/paths.ts'
import { type AdminHandle, ScreenHead } from '#web/features/admin/frame/admin-frame.tsx'
import { EDIT_SHORTCUT, ROW_SHORTCUTS, useShortcuts } from '#web/features/admin/frame/shortcuts.ts'
import { OrderedList } from '#web/features/admin/table/ordered-list.tsx'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { showAlert } from '#web/lib/alerts.ts'
import { api, queries } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { AppLink } from '#web/lib/link.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'

export const handle: AdminHandle = { title: 'Páginas' }

/** Páginas: the texts and documents of the site, in the order of its footer. */
export default function Pages() {
  const client = useQueryClient()
  const navigate = useNavigate()
  const query = useQuery(queries.content.admin.pages.all.queryOptions({ meta: { handled: true } }))
  // The new order until the server has it.
  const [ordered, setOrdered] = useState<readonly StaffPage[] | null>(null)
  const order = useMutation({
    meta: { handled: true },
    mutationFn: (ids: number[]) => api.content.admin.page.order({ ids }),
    onError: (error) => showAlert('alert', toFailure(error).message),
    async onSettled() {
      await client.invalidateQueries({ queryKey: queries.content.key() })
      setOrdered(null)
    },
  })
  useShortcuts('Páginas', [
    ...ROW_SHORTCUTS,
    EDIT_SHORTCUT,
    { keys: 'n', label: 'Nueva página', act: () => void navigate(adminPaths.newPage) },
  ])
  const rows = ordered ?? query.data?.pages ?? []
  return (
    <>
      <ScreenHead title="Páginas" about="Los textos y documentos de tu sitio, en el orden del pie de página.">
        <Button as={AppLink} to={adminPaths.newPage} icon={<IconPlus className="icon" aria-hidden="true" />}>
          Nueva página
        </Button>
      </ScreenHead>
      <Loaded
        query={query}
        skeleton={<ListSkeleton rows={5} />}
        failed="No pudimos cargar las páginas."
        nothing={
          rows.length === 0 && (
            <EmptyState
              action={
                <Button as={AppLink} to={adminPaths.newPage}>
                  Nueva página
                </Button>
              }
            >
              Escribe aquí tu aviso de privacidad, tus reglas y lo que más te preguntan.
            </EmptyState>
          )
        }
      >
        <OrderedList
          label="Páginas"
          items={rows}
          idOf={({ page_id }) => page_id}
          nameOf={({ title }) => title}
          onOrder={(next) => {
            setOrdered(next)
            order.mutate(next.map(({ page_id }) => page_id))
          }}
        >
          {(page) => (
            <AppLink to={adminPaths.page(page.page_id)} className="catalogue-row" data-row>
              <span className="strong">{page.title}</span>
              <span className="small muted page-facts">
                <span>{paths.page(page.slug)}</span>
                {page.required && <Badge tone="brand">Se acepta para usar el estudio</Badge>}
                {page.required_signup && <Badge tone="brand">Se acepta al registrarse</Badge>}
                {!page.published && <Badge tone="outline">Sin publicar</Badge>}
                {page.published && !page.content && <Badge tone="outline">Sin texto</Badge>}
              </span>
            </AppLink>
          )}
        </OrderedList>
      </Loaded>
    </>
  )
}
