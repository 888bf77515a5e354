import '#web/features/admin/payroll/payroll.css'
import { IconAdjustments } from '@tabler/icons-react'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { adminPaths } from '#contract/admin-paths.ts'
import { formatPesos } from '#contract/money.ts'
import type { Payroll as PayrollAnswer } from '#contract/payroll.ts'
import { formatInstant } from '#contract/time.ts'
import { type AdminHandle, ScreenHead } from '#web/features/admin/frame/admin-frame.tsx'
import { ROW_SHORTCUTS, useShortcuts } from '#web/features/admin/frame/shortcuts.ts'
import { AdjustDialog } from '#web/features/admin/payroll/adjust-dialog.tsx'
import { CoachPanel } from '#web/features/admin/payroll/coach-panel.tsx'
import { answerText, classesText, peopleText } from '#web/features/admin/payroll/pay-text.ts'
import { PeriodNav, usePeriodParam } from '#web/features/admin/payroll/period-nav.tsx'
import { ReasonDialog } from '#web/features/admin/people/reason-dialog.tsx'
import { ExportMenu } from '#web/features/admin/table/export-menu.tsx'
import { useRowOrder } from '#web/features/admin/table/row-order.ts'
import SortCards from '#web/features/admin/table/sort-cards.tsx'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { showAlert } from '#web/lib/alerts.ts'
import { api, queries, useIdempotentMutation } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { AppLink } from '#web/lib/link.tsx'
import { useSite } from '#web/lib/settings.tsx'
import { useDialogParam } from '#web/lib/use-dialog-param.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/dialog.tsx'
import { type Column, Table, useWide } from '#web/ui/table.tsx'

export const handle: AdminHandle = { title: 'Nómina' }

type Coach = PayrollAnswer['coaches'][number]

/** What the coaches can be sorted by. */
const COACH_VALUES = {
  coach: ({ name }: Coach) => name,
  clases: ({ classes }: Coach) => classes,
  llegaron: ({ attended }: Coach) => attended,
  pago: ({ amount }: Coach) => Number(amount),
  respuesta: ({ answer }: Coach) => answerText(answer),
  clabe: ({ has_account }: Coach) => Number(has_account),
}

/** Nómina: what each coach is paid in a period, its approval and its files. */
export default function Payroll() {
  const client = useQueryClient()
  const { input, choose } = usePeriodParam()
  const query = useQuery({
    ...queries.payrolls.read.queryOptions({ input, meta: { handled: true } }),
    placeholderData: keepPreviousData,
  })
  const dialog = useDialogParam(['coach', 'ajuste'] as const)
  const [approving, setApproving] = useState(false)
  const [reopening, setReopening] = useState(false)
  const shown = query.data
  const period = shown?.period ?? null
  const changed = () => client.invalidateQueries({ queryKey: queries.payrolls.key() })
  const approve = useIdempotentMutation(api.payrolls.approve, {
    onSuccess: () => showAlert('success', 'Nómina aprobada.'),
    onError: (error) => showAlert('alert', toFailure(error).message),
    async onSettled() {
      setApproving(false)
      await changed()
    },
  })
  useShortcuts('Nómina', [...ROW_SHORTCUTS])
  const opened = shown?.coaches.find(({ instructor_id }) => instructor_id === dialog.open?.id) ?? null
  return (
    <>
      <ScreenHead title="Nómina" about="Lo que se le paga a cada coach.">
        <div className="row gap-8 wraps">
          <Button as={AppLink} to={adminPaths.payRules} variant="outline" icon={<IconAdjustments className="icon" aria-hidden="true" />}>
            Reglas de pago
          </Button>
          {period && period.state !== 'approved' && (
            <Button variant="outline" onClick={() => dialog.show('ajuste', 0)}>
              Agregar ajuste
            </Button>
          )}
          {period?.state === 'open' && <Button onClick={() => setApproving(true)}>Aprobar</Button>}
          {period?.state === 'approved' && (
            <Button variant="outline" onClick={() => setReopening(true)}>
              Reabrir
            </Button>
          )}
        </div>
      </ScreenHead>
      {shown && <PeriodNav shown={shown} choose={choose} />}
      <Loaded query={query} skeleton={<ListSkeleton rows={5} />} failed="No pudimos cargar la nómina." nothing={false}>
        {shown && (
          <>
            <PayrollSummary shown={shown} />
            {period?.state === 'approved' && (
              <div className="row gap-8 wraps pay-period">
                <span className="small muted">Transferencias</span>
                <ExportMenu
                  load={(format) => api.listExports.payrollTransfers({ period: shown.from, format })}
                  names={{ csv: 'CSV para subir al banco', xlsx: 'Excel, con las 18 cifras de cada CLABE' }}
                />
                <span className="small muted">Contabilidad</span>
                <ExportMenu load={(format) => api.listExports.payrollDetail({ period: shown.from, format })} />
              </div>
            )}
            <CoachTable coaches={shown.coaches} onOpen={(coach) => dialog.show('coach', coach.instructor_id)} />
          </>
        )}
      </Loaded>
      {dialog.open?.name === 'coach' && opened && shown && (
        <CoachPanel
          key={opened.instructor_id}
          coach={opened}
          shown={shown}
          onAdjust={() => dialog.show('ajuste', opened.instructor_id)}
          onClose={dialog.close}
        />
      )}
      {dialog.open?.name === 'ajuste' && (opened || dialog.open.id === 0) && shown && (
        <AdjustDialog
          period={shown.from}
          coach={opened}
          onDone={() => {
            dialog.close()
            void changed()
          }}
          onClose={dialog.close}
        />
      )}
      <ConfirmDialog
        open={approving}
        yes="Sí, aprobar"
        no="Todavía no"
        onClose={() => setApproving(false)}
        onConfirm={() => approve.mutateAsync({ period: shown?.from ?? '', total: shown?.total ?? '' }).catch(() => undefined)}
      >
        ¿Apruebas {shown && formatPesos(shown.total)}? El periodo ya no cambia; lo que se corrija después va en el siguiente.
      </ConfirmDialog>
      {reopening && shown && (
        <ReasonDialog
          title="Reabrir la nómina"
          yes="Reabrir"
          no="Dejarla aprobada"
          consequence="Los pagos se calculan otra vez con lo que haya cambiado; los ajustes se conservan."
          send={(reason, how) => api.payrolls.reopen({ period: shown.from, reason }, how)}
          onDone={() => {
            setReopening(false)
            void changed()
          }}
          onClose={() => setReopening(false)}
        />
      )}
    </>
  )
}

/** The total of the period, its approval, and what is still open in it. */
function PayrollSummary({ shown }: { shown: PayrollAnswer }) {
  const { zone } = useSite()
  const { period } = shown
  return (
    <>
      <dl className="panel-card pay-summary">
        <div>
          <dt className="small muted">Total</dt>
          <dd className="figure">{formatPesos(shown.total)}</dd>
        </div>
        <div>
          <dt className="small muted">Coaches</dt>
          <dd className="figure">{shown.coaches.length}</dd>
        </div>
        <div>
          <dt className="small muted">Clases</dt>
          <dd className="figure">{shown.coaches.reduce((sum, { classes }) => sum + classes, 0)}</dd>
        </div>
        {period?.approvedAt && (
          <div>
            <dt className="small muted">Aprobó {period.approved_by}</dt>
            <dd>{formatInstant(new Date(period.approvedAt), zone, 'class')}</dd>
          </div>
        )}
      </dl>
      <div className="pay-notes">
        {shown.without_rule > 0 && (
          <Banner tone="warn">
            {shown.without_rule === 1 ? 'Hay 1 clase' : `Hay ${shown.without_rule} clases`} sin regla de pago.{' '}
            <AppLink className="link" to={adminPaths.payRules}>
              Agregar una regla
            </AppLink>
          </Banner>
        )}
        {shown.unsettled > 0 && (
          <Banner tone="warn">
            {shown.unsettled === 1 ? 'Hay 1 clase' : `Hay ${shown.unsettled} clases`} con la lista abierta: su pago todavía puede cambiar.
          </Banner>
        )}
        {period?.reopen_reason && period.state !== 'approved' && <Banner tone="neutral">Se reabrió: {period.reopen_reason}</Banner>}
      </div>
    </>
  )
}

/** The coaches of the period with what each is paid. */
function CoachTable({ coaches, onOpen }: { coaches: readonly Coach[]; onOpen: (coach: Coach) => void }) {
  const order = useRowOrder<Coach>(COACH_VALUES)
  const isWide = useWide()
  if (coaches.length === 0) return <EmptyState>En estos días nadie ha dado clases todavía.</EmptyState>
  const name = (coach: Coach) => (
    <button type="button" className="link link-alone strong" data-row onClick={() => onOpen(coach)}>
      {coach.name}
    </button>
  )
  const columns: readonly Column<Coach>[] = [
    { ...order.head('Coach', 'coach'), cell: name },
    { ...order.head('Clases', 'clases', 'down'), align: 'right', cell: ({ classes }) => classes },
    { ...order.head('Llegaron', 'llegaron', 'down'), align: 'right', cell: ({ attended }) => attended },
    {
      ...order.head('Se le paga', 'pago', 'down'),
      align: 'right',
      cell: ({ amount }) => <strong className="pay-amount">{formatPesos(amount)}</strong>,
    },
    { ...order.head('Respuesta', 'respuesta'), cell: ({ answer }) => answerText(answer) },
    { ...order.head('CLABE', 'clabe'), cell: ({ has_account }) => (has_account ? 'Guardada' : 'Falta') },
  ]
  return (
    <div className="stack gap-12">
      {!isWide && <SortCards columns={columns} />}
      <Table
        caption="Nómina por coach"
        columns={columns}
        rows={order.sorted(coaches)}
        rowKey={({ instructor_id }) => instructor_id}
        card={(coach) => (
          <>
            <span className="row spread">
              {name(coach)}
              <strong className="pay-amount">{formatPesos(coach.amount)}</strong>
            </span>
            <p className="small muted">
              {classesText(coach.classes)} · {peopleText(coach.attended)} · {answerText(coach.answer)}
              {!coach.has_account && ' · Falta CLABE'}
            </p>
          </>
        )}
      />
    </div>
  )
}
