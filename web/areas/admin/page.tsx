import '#web/features/admin/catalogue/catalogue.css'
import '#web/features/admin/content/page.css'
import { IconExternalLink, IconTrash } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import { adminPaths } from '#contract/admin-paths.ts'
import type { PageVersion, StaffPage } from '#contract/content.ts'
import { paths } from '#contract/paths.ts'
import { PageConflict } from '#web/features/admin/content/page-conflict.tsx'
import { PageDiff } from '#web/features/admin/content/page-diff.tsx'
import { acceptanceText, pageProblems } from '#web/features/admin/content/page-draft.ts'
import { PageFields } from '#web/features/admin/content/page-fields.tsx'
import { PagePreview } from '#web/features/admin/content/page-preview.tsx'
import { PageVersions } from '#web/features/admin/content/page-versions.tsx'
import { usePageDraft } from '#web/features/admin/content/use-page-draft.ts'
import { type AdminHandle, ScreenHead } from '#web/features/admin/frame/admin-frame.tsx'
import { fieldErrors } from '#web/features/admin/frame/issues.ts'
import { LeaveGuard } from '#web/features/admin/frame/leave-guard.tsx'
import { NoRecord, SaveBar } from '#web/features/admin/frame/record-editor.tsx'
import { RemoveDialog } from '#web/features/admin/frame/remove-dialog.tsx'
import { useShortcuts } from '#web/features/admin/frame/shortcuts.ts'
import { showAlert } from '#web/lib/alerts.ts'
import { api, queries } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button, IconButton } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'

export const handle: AdminHandle = { title: 'Página', detail: true, edits: true }

interface Opened {
  page: StaffPage
  accepted: number
  customers: number
  versions: readonly PageVersion[]
}

/** One page: its text, address and conditions, with its preview and versions; `/nueva` makes one. */
export default function PageScreen() {
  const { page_id = '' } = useParams()
  const isNew = page_id === 'nueva'
  const id = Number(page_id)
  const query = useQuery({
    ...queries.content.admin.page.one.queryOptions({ input: { page_id: id }, meta: { handled: true } }),
    enabled: !isNew && Number.isInteger(id) && id > 0,
  })
  if (isNew || query.data) return <PageEditor key={page_id} opened={query.data ?? null} />
  const isMissing = !(id > 0) || (query.error && toFailure(query.error).code === 'NOT_FOUND')
  return (
    <NoRecord
      title="Página"
      query={query}
      failed="No pudimos cargar la página."
      missing="Esa página ya no existe."
      isMissing={Boolean(isMissing)}
    />
  )
}

function PageEditor({ opened }: { opened: Opened | null }) {
  const { left, leave } = useLeaving()
  const page = usePageDraft(opened?.page ?? null, leave)
  const { base, before, draft, isChanged, isSaving, conflict } = page
  const { remove, dialog, setDialog } = usePageRemoval(base, leave)
  const [checked, setChecked] = useState(false)
  const problems = pageProblems(draft)
  const counts = { accepted: opened?.accepted ?? 0, customers: opened?.customers ?? 0 }
  const acceptance = base ? acceptanceText(draft, before, counts) : null
  const refused = page.refusal ?? (remove.error ? toFailure(remove.error) : null)
  const slugTaken = refused?.code === 'ALREADY_EXISTS' ? 'Otra página ya tiene esa dirección.' : undefined
  const submit = () => {
    setChecked(true)
    if (Object.keys(problems).length > 0) showAlert('alert', 'Revisa los campos marcados.')
    else if (isChanged && !isSaving) page.save()
  }
  useShortcuts('Página', [{ keys: 'Mod+s', label: 'Guardar', act: submit }])
  return (
    <div className="record-editor">
      <div>
        <ScreenHead
          title={base?.title ?? 'Nueva página'}
          about={base ? <PageAddress page={base} /> : 'Un texto o un documento de tu sitio.'}
        >
          {base && (
            <IconButton label="Eliminar" onClick={() => setDialog('remove')}>
              <IconTrash className="icon" aria-hidden="true" />
            </IconButton>
          )}
        </ScreenHead>
        {refused && (
          <Banner tone="danger" live>
            {slugTaken ?? refused.message}
          </Banner>
        )}
        <PageFields
          page={page}
          problems={{ ...(checked ? problems : {}), ...fieldErrors(refused), ...(slugTaken ? { slug: slugTaken } : {}) }}
        />
        <SaveBar
          isChanged={isChanged}
          saving={isSaving}
          onSave={submit}
          onDiscard={base ? page.discard : undefined}
          more={
            base &&
            isChanged && (
              <Button variant="quiet" onClick={() => setDialog('changes')}>
                Ver cambios
              </Button>
            )
          }
        >
          {acceptance ? <b>{acceptance}</b> : isChanged ? 'Hay cambios sin guardar.' : ' '}
          {acceptance?.includes('que aceptarla') && (
            <span className="muted"> Se les pide al entrar. Sin aceptarla no pueden reservar.</span>
          )}
        </SaveBar>
      </div>
      <aside className="record-aside page-aside" aria-label="Vista previa y versiones">
        <PagePreview
          title={draft.title}
          content={draft.content}
          isDocument={draft.published && (draft.required || draft.required_signup)}
        />
        {base && opened && <PageVersions page={base} versions={opened.versions} draft={draft} onRestore={page.restore} />}
      </aside>
      {dialog === 'changes' && (
        <Dialog
          open
          width="wide"
          title="Lo que cambia"
          onClose={() => setDialog(null)}
          actions={<Button onClick={() => setDialog(null)}>Seguir editando</Button>}
        >
          <PageDiff before={before} after={draft} />
        </Dialog>
      )}
      {conflict && <PageConflict conflict={conflict} />}
      <LeaveGuard when={isChanged && !left && !isSaving} />
      <RemoveDialog open={dialog === 'remove'} remove={() => remove.mutateAsync()} onClose={() => setDialog(null)}>
        ¿Quieres eliminar “{base?.title}”? Deja de verse en tu sitio.
        {counts.accepted > 0 && ' Lo que las personas aceptaron se conserva.'}
      </RemoveDialog>
    </div>
  )
}

/** Leaves the screen. `left`: it is being left. */
function useLeaving() {
  const navigate = useNavigate()
  const [left, setLeft] = useState(false)
  const leave = () => {
    // The guard is off in the render before the screen is left.
    setLeft(true)
    setTimeout(() => void navigate(adminPaths.pages), 0)
  }
  return { left, leave }
}

/** Removing a page, and the dialog that is open. */
function usePageRemoval(base: StaffPage | null, leave: () => void) {
  const client = useQueryClient()
  const [dialog, setDialog] = useState<'remove' | 'changes' | null>(null)
  const remove = useMutation({
    meta: { handled: true },
    mutationFn: () => api.content.admin.pages.remove({ page_id: base?.page_id ?? 0 }),
    async onSuccess() {
      showAlert('success', 'Eliminado.')
      leave()
      await client.invalidateQueries({ queryKey: queries.content.admin.pages.all.key() })
    },
    onSettled: () => setDialog(null),
  })
  return { remove, dialog, setDialog }
}

/** Its address on the site, as a link where it is shown. */
function PageAddress({ page }: { page: StaffPage }) {
  const path = paths.page(page.slug)
  if (!page.published || !page.content) return `${path} · ${page.published ? 'Sin texto' : 'Sin publicar'}`
  return (
    <a className="link" href={path} target="_blank" rel="noreferrer">
      {path} <IconExternalLink className="icon" aria-hidden="true" />
      <span className="sr-only">(se abre en otra pestaña)</span>
    </a>
  )
}
