import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import type { ImportView } from '#contract/imports.ts'
import { may, useStaff } from '#web/features/admin/frame/staff.tsx'
import { queries } from '#web/lib/api.ts'

const NewPackageDialog = lazy(() => import('./new-package-dialog.tsx'))

interface PackagesStepProps {
  view: ImportView
  onMap: (change: { packages: { name: string; class_package_id: number | null; skip: boolean }[] }) => void
}

const ANY = 'any'
const SKIP = 'skip'
const CREATE = 'create'

const CREDITS = {
  none: 'Las clases por usar, si las hay, valen para todo.',
  any: 'Clases que valen para todo',
  skip: 'No dar sus clases',
  about: 'Cada quien conserva el número de clases y el vencimiento del archivo.',
}
const TEXTS: Readonly<Partial<Record<ImportView['kind'], typeof CREDITS>>> = {
  purchases: {
    none: '',
    any: 'Como se llama en el archivo',
    skip: 'No traer sus compras',
    about: 'Las compras no dan clases ni suman en reportes.',
  },
  subscriptions: {
    none: '',
    any: 'Elige una de tus suscripciones',
    skip: 'No traer sus suscripciones',
    about: 'Cada quien conserva su precio, o paga menos si la tuya cuesta menos. Las clases por usar van en el archivo de clientes.',
  },
}

/** Valores: which package of ours each name of the file is. */
export function PackagesStep({ view, onMap }: PackagesStepProps) {
  const packages = useQuery(queries.studioPackages.all.queryOptions({ input: {}, meta: { handled: true } })).data?.class_packages
  const staff = useStaff()
  const [creating, setCreating] = useState<string | null>(null)
  const canCreate = packages !== undefined && may(staff, 'catalogue.edit')
  const texts = TEXTS[view.kind] ?? CREDITS
  const offered = (packages ?? []).filter((classPackage) => view.kind !== 'subscriptions' || classPackage.is_subscription)
  return (
    <section className="panel-card import-card" aria-labelledby="import-packages">
      <h2 id="import-packages" className="t3">
        Di qué paquete es cada uno
      </h2>
      {view.packages.length === 0 ? (
        <p className="muted">El archivo no trae paquetes. {texts.none}</p>
      ) : (
        <ul className="import-columns">
          {view.packages.map(({ name, rows, class_package_id, skip }) => (
            <li key={name}>
              <span className="import-column">
                <span className="strong">{name}</span>
                <span className="small muted">{rows === 1 ? '1 renglón' : `${rows.toLocaleString('es-MX')} renglones`}</span>
              </span>
              <select
                className="control"
                aria-label={`Qué paquete es ${name}`}
                value={skip ? SKIP : (class_package_id ?? ANY)}
                onChange={(event) => {
                  const { value } = event.currentTarget
                  if (value === CREATE) return setCreating(name)
                  const chosen = value === SKIP || value === ANY ? null : Number(value)
                  onMap({ packages: [{ name, class_package_id: chosen, skip: value === SKIP }] })
                }}
              >
                <option value={ANY}>{texts.any}</option>
                <option value={SKIP}>{texts.skip}</option>
                {offered.map((classPackage) => (
                  <option key={classPackage.class_package_id} value={classPackage.class_package_id}>
                    {classPackage.title}
                  </option>
                ))}
                {canCreate && <option value={CREATE}>{view.kind === 'subscriptions' ? 'Crear suscripción…' : 'Crear paquete…'}</option>}
              </select>
            </li>
          ))}
        </ul>
      )}
      <p className="small muted">{texts.about}</p>
      {creating !== null && (
        <Suspense>
          <NewPackageDialog
            name={creating}
            isSubscription={view.kind === 'subscriptions'}
            onClose={() => setCreating(null)}
            onMade={(class_package_id) => {
              onMap({ packages: [{ name: creating, class_package_id, skip: false }] })
              setCreating(null)
            }}
          />
        </Suspense>
      )}
    </section>
  )
}
