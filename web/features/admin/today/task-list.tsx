import { IconCalendarDown, IconChevronDown, IconDots, IconX } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { formatPesos } from '#contract/money.ts'
import type { Right } from '#contract/rights.ts'
import { addDays, startOfDay } from '#contract/time.ts'
import type { Task } from '#contract/today.ts'
import { may, useStaff } from '#web/features/admin/frame/staff.tsx'
import { TaskIcon } from '#web/features/admin/frame/task-icon.tsx'
import { offerUndo } from '#web/features/admin/frame/undo.tsx'
import { showAlert } from '#web/lib/alerts.ts'
import { api, queries } from '#web/lib/api.ts'
import { todayIn } from '#web/lib/clock.ts'
import { toFailure } from '#web/lib/errors.ts'
import { AppLink } from '#web/lib/link.tsx'
import { onDemandPart } from '#web/lib/on-demand-part.tsx'
import { useSite } from '#web/lib/settings.tsx'
import { usePreload } from '#web/lib/use-preload.ts'
import { Button } from '#web/ui/button.tsx'
import { Menu, MenuItem } from '#web/ui/menu.tsx'
import { groupAmount, groupTasks, groupTitle, LINK_LABELS, type TaskGroup } from './task-groups.ts'

/** Loaded at the first pointer, touch or key event. */
const CloseTask = onDemandPart(() => import('./close-task.tsx'), <p role="alert">No pudimos cargarlo. Revisa tu conexión.</p>)

/** Por atender: tasks grouped by kind, each with its action, and buttons to postpone and close it. */
export function TaskList({ tasks }: { tasks: readonly Task[] }) {
  usePreload(CloseTask)
  return (
    <ul className="task-list">
      {groupTasks(tasks).map((group) =>
        group.tasks.length === 1 ? (
          group.tasks.map((task) => <TaskRow key={task.task_id} task={task} />)
        ) : (
          <GroupRow key={group.kind} group={group} />
        ),
      )}
    </ul>
  )
}

function GroupRow({ group }: { group: TaskGroup }) {
  const [open, setOpen] = useState(false)
  const id = useId()
  const amount = groupAmount(group)
  return (
    <li>
      <button type="button" className="task-row task-group" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
        <TaskIcon kind={group.kind} />
        <span className="task-text">
          <span className="strong">{groupTitle(group)}</span>
          {amount && <span className="small muted">{amount}</span>}
        </span>
        <IconChevronDown className="icon task-chevron" aria-hidden="true" />
      </button>
      <ul id={id} className="task-members" hidden={!open}>
        {open && group.tasks.map((task) => <TaskRow key={task.task_id} task={task} member />)}
      </ul>
    </li>
  )
}

/** The calls that settle a task at once; the others are attended on their screens. */
interface TaskCall {
  call: (id: number) => Promise<unknown>
  /** A right besides that of the task. */
  right?: Right
  /** The text after a call that notifies the customer: the task appears again tomorrow if it is still open. */
  status?: string
}
const CALLS: Readonly<Partial<Record<Task['kind'], TaskCall>>> = {
  transfer: { call: (invoice_id) => api.counterSales.confirm({ invoice_id }) },
  job_failed: { call: (failed_job_id) => api.failedJobs.retry({ failed_job_id }) },
  renewal: {
    call: (purchase_id) => api.studioSubscriptions.sendCardLink({ purchase_id }),
    status: 'Enlace enviado. Lo verás mañana si sigue sin pagar.',
  },
  credits_ending: {
    call: (customer_id) => api.credits.notifyEnding({ customer_id }),
    right: 'customers.edit' as const,
    status: 'Aviso enviado. Lo verás mañana si no los usa.',
  },
}
const subjectOf = ({ verb }: Task): number => Number(/\/(\d+)\//.exec(verb?.endpoint ?? '')?.[1] ?? 0)

function TaskRow({ task, member = false }: { task: Task; member?: boolean }) {
  const client = useQueryClient()
  const site = useSite()
  const staff = useStaff()
  const [closing, setClosing] = useState(false)
  const refresh = () => client.invalidateQueries({ queryKey: queries.today.key() })
  const { task_id, version } = task
  const reopen = () =>
    void api.today.decide({ task_id, done: false }).then(refresh, (error) => showAlert('alert', toFailure(error).message))
  const decided = (message: string) => {
    offerUndo(message, reopen)
    return refresh()
  }
  // Shows the refusal when another person attended the task meanwhile, and reads the list again.
  const failed = (error: unknown) => {
    showAlert('alert', toFailure(error).message)
    void refresh()
  }
  const postpone = () =>
    api.today.decide({ task_id, version, snooze_until: startOfDay(addDays(todayIn(site.zone), 1), site.zone).toISOString() })
  const snooze = useMutation({
    meta: { handled: true },
    mutationFn: postpone,
    onSuccess: () => decided('Lo verás mañana.'),
    onError: failed,
  })
  const found = CALLS[task.kind]
  const call = found && (!found.right || may(staff, found.right)) ? found : null
  const settle = useMutation({
    meta: { handled: true },
    mutationFn: async () => {
      await call?.call(subjectOf(task))
      if (call?.status) await postpone()
    },
    onSuccess: () => {
      if (call?.status) return decided(call.status)
      showAlert('success', 'Listo.')
      return refresh()
    },
    onError: failed,
  })
  return (
    <li className={`task-row ${member ? 'task-member' : ''}`}>
      {!member && <TaskIcon kind={task.kind} />}
      <span className="task-text">
        <AppLink to={task.link} className="task-link link-alone strong">
          {task.title}
        </AppLink>
        <span className="small muted">{[task.amount && formatPesos(task.amount), task.detail].filter(Boolean).join(' · ')}</span>
      </span>
      <span className="task-verbs">
        {task.verb && call ? (
          <Button
            variant="outline"
            size="small"
            aria-label={`${task.verb.label}: ${task.title}`}
            loading={settle.isPending}
            onClick={() => settle.mutate()}
          >
            {task.verb.label}
          </Button>
        ) : (
          <Button as={AppLink} to={task.link} variant="outline" size="small" aria-label={`${LINK_LABELS[task.kind]}: ${task.title}`}>
            {LINK_LABELS[task.kind]}
          </Button>
        )}
        <Menu
          label={`Más sobre: ${task.title}`}
          buttonClass="icon-btn icon-btn-bare"
          button={<IconDots className="icon" aria-hidden="true" />}
        >
          <MenuItem icon={<IconCalendarDown className="icon" aria-hidden="true" />} onClick={() => snooze.mutate()}>
            Mañana
          </MenuItem>
          <MenuItem icon={<IconX className="icon" aria-hidden="true" />} onClick={() => setClosing(true)}>
            Cerrar con motivo
          </MenuItem>
        </Menu>
      </span>
      {closing && (
        <CloseTask
          task={task}
          onDone={() => {
            setClosing(false)
            void decided('Pendiente cerrado.')
          }}
          onClose={() => {
            setClosing(false)
            void refresh()
          }}
        />
      )}
    </li>
  )
}
