import { IconCheck, IconChevronLeft } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useNavigate, useParams, useSearchParams } from 'react-router'
import { type ImportView, importSources } from '#contract/imports.ts'
import { type AdminHandle, ScreenHead } from '#web/features/admin/frame/admin-frame.tsx'
import { ColumnsStep } from '#web/features/admin/imports/columns-step.tsx'
import { FileStep } from '#web/features/admin/imports/file-step.tsx'
import {
  columnsText,
  currentStep,
  IMPORT_EVERYWHERE,
  leftOut,
  readyText,
  recordsText,
  STEPS,
  type Step,
} from '#web/features/admin/imports/import-text.ts'
import { PackagesStep } from '#web/features/admin/imports/packages-step.tsx'
import { ResultStep } from '#web/features/admin/imports/result-step.tsx'
import { ReviewStep } from '#web/features/admin/imports/review-step.tsx'
import { isWholeStudioOnly, WholeStudioOnly } from '#web/features/admin/imports/whole-studio.tsx'
import '#web/features/admin/imports/imports.css'
import '#web/features/admin/integrations/integrations.css'
import { adminPaths } from '#contract/admin-paths.ts'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { api, queries } from '#web/lib/api.ts'
import { alertFailure } from '#web/lib/errors.ts'
import { AppLink } from '#web/lib/link.tsx'
import { Button } from '#web/ui/button.tsx'

export const handle: AdminHandle = { title: 'Importar', detail: true }

/** While the job works. */
const REFRESH_MS = 1_500
const NEXT: Readonly<Record<Step, Step>> = {
  archivo: 'columnas',
  columnas: 'valores',
  valores: 'revision',
  revision: 'importar',
  importar: 'importar',
}

const BEFORE: Readonly<Record<Step, Step>> = {
  archivo: 'archivo',
  columnas: 'archivo',
  valores: 'columnas',
  revision: 'valores',
  importar: 'revision',
}

/** One import, step by step: the step is in the address. */
export default function ImportScreen() {
  const client = useQueryClient()
  const navigate = useNavigate()
  const { import_id: param } = useParams()
  const import_id = Number(param)
  const [address, setAddress] = useSearchParams()
  const options = queries.imports.read.queryOptions({ input: { import_id }, meta: { handled: true } })
  const query = useQuery({
    ...options,
    refetchInterval: ({ state }) => (state.data?.state === 'running' || state.data?.state === 'undoing' ? REFRESH_MS : false),
  })
  const view = query.data
  const store = (next: ImportView) => {
    client.setQueryData(options.queryKey, next)
    void client.invalidateQueries({ queryKey: queries.imports.rows.key() })
    void client.invalidateQueries({ queryKey: queries.imports.list.key() })
  }
  const go = (step: Step) => setAddress({ paso: step }, { preventScrollReset: true })
  const map = useMutation({
    meta: { handled: true },
    mutationFn: (change: Omit<Parameters<typeof api.imports.map>[0], 'import_id'>) => api.imports.map({ import_id, ...change }),
    onSuccess: store,
    onError: alertFailure,
  })
  const run = useMutation({
    meta: { handled: true },
    mutationFn: () => api.imports.run({ import_id }),
    onSuccess: store,
    onError: alertFailure,
  })
  const remove = useMutation({
    meta: { handled: true },
    mutationFn: () => api.imports.remove({ import_id }),
    async onSuccess() {
      await client.invalidateQueries({ queryKey: queries.imports.list.key() })
      await navigate(adminPaths.imports)
    },
    onError: alertFailure,
  })
  // The rows are others when the job ends.
  const state = view?.state
  useEffect(() => {
    if (state === 'done' || state === 'undone') void client.invalidateQueries({ queryKey: queries.imports.rows.key() })
  }, [client, state])
  const step = view ? currentStep(view, address.get('paso')) : 'archivo'
  if (isWholeStudioOnly(query)) return <WholeStudioOnly title="Importar">{IMPORT_EVERYWHERE}</WholeStudioOnly>
  return (
    <>
      <AppLink to={adminPaths.imports} className="link import-back">
        <IconChevronLeft className="icon" aria-hidden="true" /> Importar
      </AppLink>
      <ScreenHead title={view ? `Importar de ${importSources[view.source]}` : 'Importar'} />
      <Loaded query={query} skeleton={<ListSkeleton rows={5} />} failed="No pudimos cargar la importación." nothing={null}>
        {view && (
          <>
            <StepList view={view} step={step} onStep={go} />
            {step === 'archivo' && (
              <FileStep
                view={view}
                onDone={(next) => {
                  store(next)
                  go('columnas')
                }}
              />
            )}
            {step === 'columnas' && <ColumnsStep view={view} onMap={(change) => map.mutate(change)} onFile={() => go('archivo')} />}
            {step === 'valores' && <PackagesStep view={view} onMap={(change) => map.mutate(change)} />}
            {step === 'importar' && <ResultStep view={view} onView={store} />}
            {(step === 'revision' || step === 'importar') && <ReviewStep key={step} view={view} onView={store} />}
            {view.state === 'draft' && (
              <Foot
                view={view}
                step={step}
                isMapping={map.isPending}
                isStarting={run.isPending}
                isRemoving={remove.isPending}
                onStep={go}
                onRun={() => run.mutate()}
                onRemove={() => remove.mutate()}
              />
            )}
          </>
        )}
      </Loaded>
    </>
  )
}

interface StepListProps {
  view: ImportView
  step: Step
  onStep: (step: Step) => void
}

/** The steps in order, after the choice of the origin in the list of imports; those of a draft with a file can be opened. */
function StepList({ view, step, onStep }: StepListProps) {
  const current = STEPS.findIndex(([key]) => key === step)
  return (
    <ol className="import-steps" aria-label="Pasos">
      <li>
        <span className="import-step-number" aria-hidden="true">
          <IconCheck className="icon" />
        </span>
        Origen
      </li>
      {STEPS.map(([key, label], at) => (
        <li key={key} aria-current={key === step ? 'step' : undefined}>
          <span className="import-step-number" aria-hidden="true">
            {at < current ? <IconCheck className="icon" /> : at + 2}
          </span>
          {view.state === 'draft' && view.file_name !== null && key !== 'importar' && key !== step ? (
            <button type="button" className="link" onClick={() => onStep(key)}>
              {label}
            </button>
          ) : (
            label
          )}
        </li>
      ))}
    </ol>
  )
}

interface FootProps extends StepListProps {
  isMapping: boolean
  isStarting: boolean
  isRemoving: boolean
  onRun: () => void
  onRemove: () => void
}

/** What a draft can do next: continue, import or be discarded. */
function Foot({ view, step, isMapping, isStarting, isRemoving, onStep, onRun, onRemove }: FootProps) {
  const out = leftOut(view)
  return (
    <div className="import-foot">
      {step === 'revision' && (
        <p>
          <span className="strong">{readyText(view)}</span>
          {out > 0 && <span className="small muted">{out} por resolver; si sigues, se quedan fuera en un CSV.</span>}
        </p>
      )}
      {step === 'columnas' && (
        <p>
          <span className="strong">{columnsText(view)}</span>
          <span className="small muted">Todavía no se escribe nada ni se avisa a nadie.</span>
        </p>
      )}
      <Button variant="danger-quiet" loading={isRemoving} onClick={onRemove}>
        Descartar
      </Button>
      {step !== 'archivo' && (
        <Button variant="outline" onClick={() => onStep(BEFORE[step])}>
          Atrás
        </Button>
      )}
      {step !== 'archivo' && step !== 'revision' && (
        <Button
          loading={isMapping}
          reason={step === 'columnas' && view.date_question ? 'Di primero qué va primero en las fechas.' : null}
          onClick={() => onStep(NEXT[step])}
        >
          Seguir
        </Button>
      )}
      {step === 'revision' && (
        <Button
          loading={isStarting}
          reason={
            view.date_question
              ? 'Di qué va primero en las fechas, en Columnas.'
              : view.people === 0
                ? view.kind === 'customers'
                  ? 'No hay a quién importar.'
                  : 'No hay nada que importar.'
                : null
          }
          onClick={onRun}
        >
          Importar {recordsText(view.kind, view.people)}
        </Button>
      )}
    </div>
  )
}
