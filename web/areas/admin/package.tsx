import '#web/features/admin/packages/package.css'
import { IconArchive, IconCopy } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate, useParams, useSearchParams } from 'react-router'
import { adminPaths } from '#contract/admin-paths.ts'
import type { StudioPackage } from '#contract/studio-packages.ts'
import { type AdminHandle, ScreenHead } from '#web/features/admin/frame/admin-frame.tsx'
import { ConflictDialog, type FieldVersions, VersionsTable } from '#web/features/admin/frame/conflict-dialog.tsx'
import { fieldErrors } from '#web/features/admin/frame/issues.ts'
import { LeaveGuard } from '#web/features/admin/frame/leave-guard.tsx'
import { NoRecord, SaveBar } from '#web/features/admin/frame/record-editor.tsx'
import { useShortcuts } from '#web/features/admin/frame/shortcuts.ts'
import { offerUndo } from '#web/features/admin/frame/undo.tsx'
import { type EditConflict, useVersionedEdit } from '#web/features/admin/frame/use-versioned-edit.ts'
import { PackageAside } from '#web/features/admin/packages/package-aside.tsx'
import {
  changedFields,
  changeNames,
  diffDrafts,
  draftProblems,
  NEW_DRAFT,
  type PackageDraft,
  toDraft,
} from '#web/features/admin/packages/package-draft.ts'
import { PackageForm } from '#web/features/admin/packages/package-form.tsx'
import { changedParts, packageSentence } from '#web/features/admin/packages/package-sentence.ts'
import { showAlert } from '#web/lib/alerts.ts'
import { api, queries } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { AppLink } from '#web/lib/link.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button, IconButton } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/dialog.tsx'

export const handle: AdminHandle = { title: 'Paquete', detail: true, edits: true }

/** One package, with what it means in a sentence and how the site shows it; `/nuevo` makes one. */
export default function PackageScreen() {
  const { class_package_id = '' } = useParams()
  const [search] = useSearchParams()
  const query = useQuery(queries.studioPackages.all.queryOptions({ input: {}, meta: { handled: true } }))
  const archived = useQuery(queries.studioPackages.all.queryOptions({ input: { archived: true }, meta: { handled: true } }))
  const all = [...(query.data?.class_packages ?? []), ...(archived.data?.class_packages ?? [])]
  const find = (id: string | null) => all.find((one) => String(one.class_package_id) === id) ?? null
  const isNew = class_package_id === 'nuevo'
  const stored = isNew ? null : find(class_package_id)
  const copied = find(search.get('de'))
  if (isNew ? query.data : stored) return <Editor key={class_package_id} stored={stored} copied={copied} all={all} />
  return <NoRecord title="Paquete" query={query} failed="No pudimos cargar el paquete." missing="Ese paquete ya no existe." />
}

const COPY = ' (copia)'

/** Both versions in a sentence, with the names of the fields in which they differ. */
function packageVersions({ theirs, mine }: EditConflict<PackageDraft>, names: Parameters<typeof packageSentence>[1]): FieldVersions[] {
  const changed = changeNames(diffDrafts(theirs, mine))
  const inWords = (draft: PackageDraft) =>
    packageSentence(draft, names)
      .map(({ text }) => text)
      .join(' ')
  return changed.length === 0 ? [] : [{ label: `Cambia: ${changed.join(', ')}`, theirs: inWords(theirs), mine: inWords(mine) }]
}

/** Whom a change leaves as they are. */
const holdersText = (holders: number | undefined): string => {
  if (!holders) return 'Quien ya lo compró conserva sus condiciones.'
  return holders === 1 ? '1 persona conserva sus condiciones.' : `${holders.toLocaleString('es-MX')} personas conservan sus condiciones.`
}

function Editor({ stored, copied, all }: { stored: StudioPackage | null; copied: StudioPackage | null; all: readonly StudioPackage[] }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const lists = { staleTime: 300_000, meta: { handled: true } }
  const locations = useQuery(queries.catalogue.locations.queryOptions(lists)).data?.locations ?? []
  const types = useQuery(queries.catalogue.classTypes.queryOptions(lists)).data?.class_types ?? []
  const start: PackageDraft = stored
    ? toDraft(stored)
    : copied
      ? { ...toDraft(copied), title: `${copied.title}${COPY}`.slice(0, 120), is_home: false, is_featured: false }
      : NEW_DRAFT
  const [checked, setChecked] = useState(false)
  const [removing, setRemoving] = useState(false)
  const [left, setLeft] = useState(false)
  const holders = useQuery({
    ...queries.studioPackages.figures.queryOptions({ input: { class_package_id: stored?.class_package_id ?? 0 }, meta: { handled: true } }),
    enabled: stored !== null,
  }).data?.holders
  const leave = () => {
    // The guard is off in the render before the screen is left.
    setLeft(true)
    setTimeout(() => void navigate(adminPaths.packages), 0)
  }
  const edit = useVersionedEdit({
    ...{ stored, toDraft, start, follows: true },
    // The API reads the prices that were typed.
    send: (typed, from: StudioPackage | null, how) =>
      from
        ? api.studioPackages.update({
            ...changedFields(typed, from),
            ...{ class_package_id: from.class_package_id, if_updatedAt: from.updatedAt },
          } as never)
        : api.studioPackages.create(changedFields(typed, null) as never, how),
    reload: () => client.invalidateQueries(),
    async onSaved({ class_package }) {
      // After the list is read: a form without edits follows its values.
      await client.invalidateQueries()
      if (stored) edit.follow(class_package)
      const home = stored ? changes.is_home : undefined
      showAlert(
        'success',
        home === true ? '¡Paquete agregado al home con éxito!' : home === false ? '¡Paquete eliminado del home!' : 'Guardado.',
      )
      if (!stored) leave()
    },
  })
  const { draft, setDraft, conflict } = edit
  const problems = draftProblems(draft)
  const changes = changedFields(draft, edit.base)
  const isChanged = stored ? Object.keys(changes).length > 0 : JSON.stringify(draft) !== JSON.stringify(NEW_DRAFT)
  const remove = useMutation({
    meta: { handled: true },
    mutationFn: () => api.studioPackages.remove({ class_package_id: stored?.class_package_id ?? 0 }),
    async onSuccess() {
      await client.invalidateQueries()
      offerUndo('Archivado. Ya no se vende.', () => {
        void api.studioPackages
          .restore({ class_package_id: stored?.class_package_id ?? 0 })
          .then(() => client.invalidateQueries())
          .then(() => showAlert('success', 'Deshecho.'))
          .catch((error: unknown) => showAlert('alert', toFailure(error).message))
      })
      leave()
    },
    onSettled: () => setRemoving(false),
  })
  const restore = useMutation({
    meta: { handled: true },
    mutationFn: () => api.studioPackages.restore({ class_package_id: stored?.class_package_id ?? 0 }),
    async onSuccess() {
      await client.invalidateQueries()
      showAlert('success', 'Recuperado.')
    },
  })
  const failure = remove.error ?? restore.error
  const refused = edit.refusal ?? (failure ? toFailure(failure) : null)
  const { class_package_types, ...issues } = fieldErrors(refused)
  const refusedFields = { ...issues, ...(class_package_types ? { types: class_package_types } : {}) }
  const submit = () => {
    setChecked(true)
    if (Object.keys(problems).length === 0) edit.save()
    else showAlert('alert', 'Revisa los campos marcados.')
  }

  useShortcuts('Paquete', [
    stored && { keys: 'd', label: 'Duplicar', act: () => void navigate(adminPaths.newPackage(stored.class_package_id)) },
  ])
  const names = {
    locations: new Map(locations.map(({ location_id, name }) => [location_id, name])),
    types: new Map(types.map(({ class_type_id, name }) => [class_type_id, name])),
  }
  const sentence = packageSentence(draft, names)
  const marked = stored ? changedParts(sentence, packageSentence(toDraft(stored), names)) : new Set<string>()
  const changed = changeNames(changes)
  return (
    <div className="record-editor">
      <div>
        <ScreenHead title={stored ? stored.title : 'Nuevo paquete'}>
          {stored && (
            <>
              <Badge tone={stored.available && !stored.archived ? 'ok' : 'neutral'}>
                {stored.archived ? 'Archivado' : stored.available ? 'A la venta' : 'No está a la venta'}
              </Badge>
              <Button
                as={AppLink}
                to={adminPaths.newPackage(stored.class_package_id)}
                variant="outline"
                icon={<IconCopy className="icon" aria-hidden="true" />}
              >
                Duplicar
              </Button>
              {stored.archived ? (
                <Button variant="outline" loading={restore.isPending} onClick={() => restore.mutate()}>
                  Recuperar
                </Button>
              ) : (
                <IconButton label="Archivar" onClick={() => setRemoving(true)}>
                  <IconArchive className="icon" aria-hidden="true" />
                </IconButton>
              )}
            </>
          )}
        </ScreenHead>
        {refused && (
          <Banner tone="danger" live>
            {refused.message}
          </Banner>
        )}
        <section className="package-sentence" aria-label="Esto es lo que vendes">
          <p className="small strong">Esto es lo que vendes</p>
          <p className="lead">
            {sentence.map(({ key, text }) => (
              <span key={key}>{marked.has(key) ? <mark>{text}</mark> : text} </span>
            ))}
          </p>
        </section>
        <PackageForm
          draft={draft}
          stored={stored && toDraft(stored)}
          problems={{ ...(checked ? problems : {}), ...refusedFields }}
          locations={locations}
          types={types}
          downloadName={stored?.downloadable?.name ?? null}
          onChange={setDraft}
        />
        <SaveBar
          isChanged={isChanged}
          saving={edit.isSaving}
          onSave={submit}
          onDiscard={stored ? () => setDraft(toDraft(stored)) : undefined}
        >
          {!stored || changed.length === 0
            ? ' '
            : `${changed.length === 1 ? '1 cambio' : `${changed.length} cambios`} sin guardar: ${changed.join(', ')}. ${holdersText(holders)}`}
        </SaveBar>
      </div>
      <PackageAside draft={draft} stored={stored} all={all} locations={names.locations} />
      {conflict && (
        <ConflictDialog title="Alguien más cambió este paquete" {...conflict}>
          <VersionsTable fields={packageVersions(conflict, names)} mergesRest />
        </ConflictDialog>
      )}
      <LeaveGuard when={isChanged && !left && !edit.isSaving} />
      <ConfirmDialog
        open={removing}
        yes="Sí, archivar"
        no="No, conservar"
        onClose={() => setRemoving(false)}
        onConfirm={() => remove.mutateAsync().catch(() => undefined)}
      >
        ¿Quieres archivar “{stored?.title}”? Ya no se vende; quien lo compró lo conserva.
      </ConfirmDialog>
    </div>
  )
}
