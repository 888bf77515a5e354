import '#web/features/admin/catalogue/catalogue.css'
import '#web/features/admin/content/page.css'
import { IconExternalLink, IconTrash } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import type { PageVersion, StaffPage } from '#contract/content.ts'
import { paths } from '#contract/paths.ts'
import { PageConflict } from '#web/features/admin/content/page-conflict.tsx'
import { PageDiff } from '#web/features/admin/content/page-diff.tsx'
import {
  acceptanceText,
  changedPageFields,
  draftOfPage,
  NEW_PAGE,
  type PageDraft,
  pageProblems,
  QUESTIONS_SLUG,
  slugOf,
} from '#web/features/admin/content/page-draft.ts'
import { PagePreview } from '#web/features/admin/content/page-preview.tsx'
import { PageVersions } from '#web/features/admin/content/page-versions.tsx'
import { readQuestions } from '#web/features/admin/content/questions.ts'
import { type AdminHandle, ScreenHead } from '#web/features/admin/frame/admin-frame.tsx'
import { issuesOf } from '#web/features/admin/frame/issues.ts'
import { LeaveGuard } from '#web/features/admin/frame/leave-guard.tsx'
import { NoRecord, SaveBar } from '#web/features/admin/frame/record-editor.tsx'
import { RemoveDialog } from '#web/features/admin/frame/remove-dialog.tsx'
import { useShortcuts } from '#web/features/admin/frame/shortcuts.ts'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { adminPaths } from '#web/lib/admin-paths.ts'
import { showAlert } from '#web/lib/alerts.ts'
import { api, queries } from '#web/lib/api.ts'
import { failureOf } from '#web/lib/errors.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button, IconButton } from '#web/ui/button.tsx'
import { Segmented, Switch } from '#web/ui/choice.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { TextArea, TextField } from '#web/ui/field.tsx'

const HtmlEditor = lazy(() => import('#web/features/admin/content/html-editor.tsx'))
const QuestionsEditor = lazy(() => import('#web/features/admin/content/questions-editor.tsx'))

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
  const isMissing = !(id > 0) || (query.error && failureOf(query.error).code === 'NOT_FOUND')
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
  const client = useQueryClient()
  const navigate = useNavigate()
  const [base, setBase] = useState(opened?.page ?? null)
  const before = base ? draftOfPage(base) : NEW_PAGE
  const [draft, setDraft] = useState<PageDraft>(before)
  // Another key starts the text editor with the draft's text.
  const [edition, setEdition] = useState(0)
  const [isPairs, setIsPairs] = useState(before.slug === QUESTIONS_SLUG && readQuestions(before.content) !== null)
  const [checked, setChecked] = useState(false)
  const [dialog, setDialog] = useState<'remove' | 'changes' | 'conflict' | null>(null)
  const [left, setLeft] = useState(false)
  const changes = changedPageFields(draft, before)
  const isChanged = Object.keys(changes).length > 0
  const problems = pageProblems(draft)
  const counts = { accepted: opened?.accepted ?? 0, customers: opened?.customers ?? 0 }
  const acceptance = base ? acceptanceText(draft, before, counts) : null
  const set = (change: Partial<PageDraft>) => setDraft((current) => ({ ...current, ...change }))
  const startAgain = (page: StaffPage) => {
    setBase(page)
    setDraft(draftOfPage(page))
    setEdition((count) => count + 1)
  }
  const leave = () => {
    // The guard is off in the render before the screen is left.
    setLeft(true)
    setTimeout(() => void navigate(adminPaths.pages), 0)
  }
  const save = useMutation({
    meta: { handled: true },
    mutationFn: (over: StaffPage | null) => {
      const from = over ?? base
      return from
        ? api.content.admin.page.change({
            ...changedPageFields(draft, draftOfPage(from)),
            page_id: from.page_id,
            if_updatedAt: from.updatedAt,
          })
        : api.content.admin.pages.create({ ...draft, content: draft.content.trim() ? draft.content : null, page_id: null })
    },
    async onSuccess({ page }) {
      setBase(page)
      setDraft(draftOfPage(page))
      setDialog(null)
      await client.invalidateQueries({ queryKey: queries.content.key() })
      showAlert('success', 'Guardado.')
      if (!base) leave()
    },
    onError: (error) => setDialog(failureOf(error).code === 'CHANGED_MEANWHILE' ? 'conflict' : null),
  })
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
  const failure = save.error ?? remove.error
  const refused = failure ? failureOf(failure) : null
  const refusedFields = issuesOf(refused)
  const slugTaken = refused?.code === 'ALREADY_EXISTS' ? 'Otra página ya tiene esa dirección.' : undefined
  const shownProblems: Partial<Record<string, string>> = {
    ...(checked ? problems : {}),
    ...refusedFields,
    ...(slugTaken ? { slug: slugTaken } : {}),
  }
  const submit = () => {
    setChecked(true)
    if (Object.keys(problems).length > 0) showAlert('alert', 'Revisa los campos marcados.')
    else if (isChanged && !save.isPending) save.mutate(null)
  }
  useShortcuts('Página', [{ keys: 'Mod+s', label: 'Guardar', act: submit }])
  const canBePairs = draft.slug === QUESTIONS_SLUG
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
        {refused && refused.code !== 'CHANGED_MEANWHILE' && (
          <Banner tone="danger" live>
            {slugTaken ?? refused.message}
          </Banner>
        )}
        <div className="record-fields">
          <div className="record-pair">
            <TextField
              label="Título"
              maxLength={200}
              autoComplete="off"
              error={shownProblems.title}
              value={draft.title}
              onChange={({ currentTarget: { value } }) =>
                set({ title: value, ...(!base && draft.slug === slugOf(draft.title) ? { slug: slugOf(value) } : {}) })
              }
            />
            <TextField
              label="Dirección"
              maxLength={80}
              autoComplete="off"
              hint="Los enlaces que ya compartiste llevan la de antes."
              before="/"
              error={shownProblems.slug}
              value={draft.slug}
              onChange={(event) => set({ slug: event.currentTarget.value })}
            />
          </div>
          {canBePairs && (
            <div className="page-mode">
              <Segmented
                label="Cómo se edita"
                options={[
                  { value: 'pairs', label: 'Preguntas' },
                  { value: 'text', label: 'Texto' },
                ]}
                value={isPairs ? 'pairs' : 'text'}
                onChange={(mode) => {
                  if (mode === 'pairs' && readQuestions(draft.content) === null) {
                    showAlert('alert', 'El texto tiene más que preguntas con su respuesta: cada pregunta es un título, sin nada antes.')
                    return
                  }
                  setIsPairs(mode === 'pairs')
                  setEdition((count) => count + 1)
                }}
              />
            </div>
          )}
          <Suspense fallback={<ListSkeleton rows={6} />}>
            {canBePairs && isPairs ? (
              <QuestionsEditor key={edition} start={draft.content} onChange={(content) => set({ content })} />
            ) : (
              <HtmlEditor
                key={edition}
                label="Texto"
                start={draft.content}
                error={shownProblems.content}
                onChange={(content) => set({ content })}
              />
            )}
          </Suspense>
          <div>
            <Switch
              checked={draft.published}
              hint="Si no, solo la ve tu equipo, y a nadie se le pide aceptarla."
              onChange={(event) => set({ published: event.currentTarget.checked })}
            >
              En el sitio
            </Switch>
            <Switch
              checked={draft.required_signup}
              hint="Sin aceptarla nadie se registra."
              onChange={(event) => set({ required_signup: event.currentTarget.checked })}
            >
              Se acepta al registrarse
            </Switch>
            <Switch
              checked={draft.required}
              hint="Se pide al entrar. Sin aceptarla nadie reserva ni compra."
              onChange={(event) => set({ required: event.currentTarget.checked })}
            >
              Se acepta para usar el estudio
            </Switch>
          </div>
          <details className="page-more">
            <summary>Buscadores y vistas previas</summary>
            <TextField
              label="Título para buscadores"
              optional
              maxLength={90}
              autoComplete="off"
              hint="Vacío: el de la página."
              error={shownProblems.seo_title}
              value={draft.seo_title}
              onChange={(event) => set({ seo_title: event.currentTarget.value })}
            />
            <TextArea
              label="Descripción para buscadores"
              optional
              rows={2}
              maxLength={200}
              hint="Vacía: el lema de tu estudio."
              error={shownProblems.seo_description}
              value={draft.seo_description}
              onChange={(event) => set({ seo_description: event.currentTarget.value.replaceAll('\n', ' ') })}
            />
          </details>
        </div>
        <SaveBar
          isChanged={isChanged}
          saving={save.isPending}
          onSave={submit}
          onDiscard={base ? () => startAgain(base) : undefined}
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
        {base && opened && (
          <PageVersions
            page={base}
            versions={opened.versions}
            draft={draft}
            onRestore={(content) => {
              set({ content })
              if (readQuestions(content) === null) setIsPairs(false)
              setEdition((count) => count + 1)
            }}
          />
        )}
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
      {dialog === 'conflict' && base && refused && (
        <PageConflict
          page_id={base.page_id}
          message={refused.message}
          mine={draft}
          onTakeTheirs={(page) => {
            startAgain(page)
            save.reset()
            setDialog(null)
          }}
          onKeepMine={(page) => save.mutate(page)}
          onClose={() => setDialog(null)}
        />
      )}
      <LeaveGuard when={isChanged && !left && !save.isPending} />
      <RemoveDialog open={dialog === 'remove'} remove={() => remove.mutateAsync()} onClose={() => setDialog(null)}>
        ¿Quieres eliminar “{base?.title}”? Deja de verse en tu sitio.
        {counts.accepted > 0 && ' Lo que las personas aceptaron se conserva.'}
      </RemoveDialog>
    </div>
  )
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
