import '#web/features/admin/packages/package.css'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearchParams } from 'react-router'
import { adminPaths } from '#contract/admin-paths.ts'
import type { StudioPackage } from '#contract/studio-packages.ts'
import type { AdminHandle } from '#web/features/admin/frame/admin-frame.tsx'
import { ConflictDialog, VersionsTable } from '#web/features/admin/frame/conflict-dialog.tsx'
import { LeaveGuard } from '#web/features/admin/frame/leave-guard.tsx'
import { NoRecord, SaveBar } from '#web/features/admin/frame/record-editor.tsx'
import { useShortcuts } from '#web/features/admin/frame/shortcuts.ts'
import { PackageAside } from '#web/features/admin/packages/package-aside.tsx'
import { changeNames, toDraft } from '#web/features/admin/packages/package-draft.ts'
import { PackageForm } from '#web/features/admin/packages/package-form.tsx'
import { PackageHead, PackageSentence } from '#web/features/admin/packages/package-head.tsx'
import { changedParts, packageSentence } from '#web/features/admin/packages/package-sentence.ts'
import { packageVersions } from '#web/features/admin/packages/package-versions.ts'
import { usePackageEdit } from '#web/features/admin/packages/use-package-edit.ts'
import { queries } from '#web/lib/api.ts'
import { Banner } from '#web/ui/banner.tsx'

export const handle: AdminHandle = { title: 'Paquete', detail: true, edits: true }

/** One package, with what it means in a sentence and how the site shows it; `/nuevo` makes one. */
export default function PackageScreen() {
  const { class_package_id = '' } = useParams()
  const [search] = useSearchParams()
  const query = useQuery(queries.studioPackages.all.queryOptions({ input: {}, meta: { handled: true } }))
  const archived = useQuery(queries.studioPackages.all.queryOptions({ input: { archived: true }, meta: { handled: true } }))
  const all = [...(query.data?.class_packages ?? []), ...(archived.data?.class_packages ?? [])]
  const find = (id: string | null) => all.find((classPackage) => String(classPackage.class_package_id) === id) ?? null
  const isNew = class_package_id === 'nuevo'
  const stored = isNew ? null : find(class_package_id)
  const copied = find(search.get('de'))
  if (isNew ? query.data : stored) return <Editor key={class_package_id} stored={stored} copied={copied} all={all} />
  return <NoRecord title="Paquete" query={query} failed="No pudimos cargar el paquete." missing="Ese paquete ya no existe." />
}

/** Whom a change leaves as they are. */
const holdersText = (holders: number | undefined): string => {
  if (!holders) return 'Quien ya lo compró conserva sus condiciones.'
  return holders === 1 ? '1 persona conserva sus condiciones.' : `${holders.toLocaleString('es-MX')} personas conservan sus condiciones.`
}

function Editor({ stored, copied, all }: { stored: StudioPackage | null; copied: StudioPackage | null; all: readonly StudioPackage[] }) {
  const navigate = useNavigate()
  const lists = { staleTime: 300_000, meta: { handled: true } }
  const locations = useQuery(queries.catalogue.locations.queryOptions(lists)).data?.locations ?? []
  const types = useQuery(queries.catalogue.classTypes.queryOptions(lists)).data?.class_types ?? []
  const holders = useQuery({
    ...queries.studioPackages.figures.queryOptions({ input: { class_package_id: stored?.class_package_id ?? 0 }, meta: { handled: true } }),
    enabled: stored !== null,
  }).data?.holders
  const edit = usePackageEdit(stored, copied)
  const { draft, refused, conflict } = edit
  useShortcuts('Paquete', [
    stored && { keys: 'd', label: 'Duplicar', act: () => void navigate(adminPaths.newPackage(stored.class_package_id)) },
  ])
  const names = {
    locations: new Map(locations.map(({ location_id, name }) => [location_id, name])),
    types: new Map(types.map(({ class_type_id, name }) => [class_type_id, name])),
  }
  const sentence = packageSentence(draft, names)
  const changed = changeNames(edit.changes)
  return (
    <div className="record-editor">
      <div>
        <PackageHead
          stored={stored}
          onArchive={() => edit.archive.mutateAsync()}
          onRestore={() => edit.restore.mutate()}
          isRestoring={edit.restore.isPending}
        />
        {refused && (
          <Banner tone="danger" live>
            {refused.message}
          </Banner>
        )}
        <PackageSentence
          parts={sentence}
          changed={stored ? changedParts(sentence, packageSentence(toDraft(stored), names)) : new Set<string>()}
        />
        <PackageForm
          draft={draft}
          stored={stored && toDraft(stored)}
          problems={edit.problems}
          locations={locations}
          types={types}
          downloadName={stored?.downloadable?.name ?? null}
          onChange={edit.setDraft}
        />
        <SaveBar
          isChanged={edit.isChanged}
          saving={edit.isSaving}
          onSave={edit.submit}
          onDiscard={stored ? () => edit.setDraft(toDraft(stored)) : undefined}
        >
          {!stored || changed.length === 0
            ? ' '
            : `${changed.length === 1 ? '1 cambio' : `${changed.length} cambios`} sin guardar: ${changed.join(', ')}. ${holdersText(holders)}`}
        </SaveBar>
      </div>
      <PackageAside draft={draft} stored={stored} all={all} locations={names.locations} />
      {conflict && (
        <ConflictDialog title="Alguien más cambió este paquete" {...conflict}>
          <VersionsTable fields={packageVersions(conflict.theirs, conflict.mine, names)} mergesRest />
        </ConflictDialog>
      )}
      <LeaveGuard when={edit.isUnsaved} />
    </div>
  )
}
