/** Moving, resizing, copying and selecting classes, with the pointer and with the keyboard alone, in every view of the timetable. */
import { type KeyboardEvent, type MouseEvent, type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { ClassChange, PlannedClass } from '#contract/studio-schedule.ts'
import type { LocalDate } from '#contract/time.ts'
import { offerUndo } from '#web/features/admin/frame/undo.tsx'
import { showAlert } from '#web/lib/alerts.ts'
import { api, useIdempotentMutation } from '#web/lib/api.ts'
import { failureOf } from '#web/lib/errors.ts'
import { blockAt, focusBlock } from './block-focus.ts'
import type { BulkKind } from './bulk-classes.tsx'
import { classKey } from './class-key.ts'
import type { DragEvents, DragSpot, PlanDrag } from './plan-drag.ts'
import {
  changesBack,
  changesOfEdit,
  combined,
  copiesOf,
  edited,
  editText,
  isEditable,
  isEmpty,
  isNothing,
  NO_EDIT,
  type PlanEdit,
  pasteEdit,
  STEP_MINUTES,
  withEdit,
} from './plan-edits.ts'
import { createGhost } from './plan-ghost.ts'
import type { NewAt, PlanActions, PlanMarks, PlanTones } from './plan-marks.ts'
import type { PlanDay, PlanRecords, Venue } from './plan-views.ts'
import { takeBack } from './take-back.ts'
import { useTimetableRefresh } from './use-timetable.ts'

/** A column or cell of the view: what a class that is put there takes over. `coach` undefined = its own. */
export interface PlanTarget {
  column: string
  day: LocalDate
  venue: Venue | null
  coach: number | null | undefined
}

interface Given {
  /** The screen's part with the classes. */
  root: RefObject<HTMLElement | null>
  days: readonly PlanDay[]
  monday: LocalDate
  today: LocalDate
  /** The columns or cells in the order in which a class moves through them: across (Alt and left or right), and down. */
  across: readonly PlanTarget[] | null
  down: readonly PlanTarget[] | null
  targets: readonly PlanTarget[]
  records: PlanRecords
  tones: PlanTones
  saves_as: 'draft' | 'publish'
  canEdit: boolean
  /** Of the class that is open. */
  current: string | null
  onOpen: (cls: PlannedClass) => void
  onNew: (at: NewAt) => void
}

interface Pending {
  keys: readonly string[]
  edit: PlanEdit
}

/** What has to be decided before an edit is saved. */
export type Asking =
  | { kind: 'scope'; cls: PlannedClass; edit: PlanEdit }
  | { kind: 'publish'; changes: readonly ClassChange[]; text: string }
  | { kind: 'delete' | 'cancel'; keys: readonly string[] }
  | { kind: BulkKind; keys: readonly string[] }
  | { kind: 'drafts'; ids: number[] }

interface Sent {
  changes: ClassChange[]
  /** What is said about it: "Ciclo 45, jue 19 nov, 20:45". */
  text: string
  /** The classes as they were; empty for copies. */
  before: PlannedClass[]
}

const ARROWS: Readonly<Record<string, { minutes: number; days: number }>> = {
  ArrowUp: { minutes: -STEP_MINUTES, days: 0 },
  ArrowDown: { minutes: STEP_MINUTES, days: 0 },
  ArrowLeft: { minutes: 0, days: -1 },
  ArrowRight: { minutes: 0, days: 1 },
}
const NONE: ReadonlySet<string> = new Set()
const minuteOf = (wall: string): number => Number(wall.slice(11, 13)) * 60 + Number(wall.slice(14, 16))
const daysBetween = (from: LocalDate, to: LocalDate): number => Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000)
const columnOf = (element: EventTarget): string =>
  element instanceof Element ? (element.closest<HTMLElement>('[data-column]')?.dataset.column ?? '') : ''

export function usePlanEdits(given: Given) {
  const { root, days, records, saves_as, canEdit } = given
  const [selected, setSelected] = useState<ReadonlySet<string>>(NONE)
  const [selecting, setSelecting] = useState(false)
  const [pending, setPending] = useState<Pending | null>(null)
  const [asking, setAsking] = useState<Asking | null>(null)
  const [ghost] = useState(createGhost)
  const [drag, setDrag] = useState<PlanDrag | null>(null)
  const last = useRef<string | null>(null)
  const clipboard = useRef<PlannedClass[]>([])
  const refocus = useRef<string | null>(null)
  const lassoBase = useRef<ReadonlySet<string> | null>(null)
  const refresh = useTimetableRefresh()
  // Classes of other weeks that were selected by a filter; those of this week are read with it.
  const [others, setOthers] = useState<readonly PlannedClass[]>([])
  const shown = days.flatMap(({ classes }) => classes)
  const here = new Set(shown.map(classKey))
  const all = [...shown, ...others.filter((cls) => !here.has(classKey(cls)))]
  const find = (keys: Iterable<string>): PlannedClass[] => {
    const wanted = new Set(keys)
    return all.filter((cls) => wanted.has(classKey(cls)))
  }

  const save = useIdempotentMutation(
    async (sent: Sent, { context }) => ({
      sent,
      answer: await api.studioSchedule.change({ changes: sent.changes, as: saves_as }, { context }),
    }),
    {
      async onSuccess({ sent, answer }) {
        await refresh()
        setPending(null)
        // What was read of other weeks is another state now.
        if (others.length > 0) clear()
        const { conflicts } = answer.result
        const [first] = conflicts
        const warning = first ? ` ${conflicts.length > 1 ? `Hay ${conflicts.length} conflictos: ` : ''}${first.message}` : ''
        const { undo } = answer
        const fresh = answer.classes.flatMap((cls) => {
          const before = sent.before.find((one) => one.single_class_id !== null && one.single_class_id === cls.single_class_id)
          return sent.before.length === 0 || (before && before.class_draft_id === null) ? (cls.class_draft_id ?? []) : []
        })
        offerUndo(
          `${sent.text}.${saves_as === 'draft' ? ' Falta publicarlo.' : ''}${warning}`,
          undo ? () => void takeBack(undo.undo_id, refresh) : () => void unsave(sent.before, [...new Set(fresh)]),
        )
      },
      onError(error) {
        setPending(null)
        showAlert('alert', failureOf(error).message)
        return refresh()
      },
    },
  )

  /** Takes back what was kept as drafts: new ones are discarded, changed ones get their values back. */
  async function unsave(before: readonly PlannedClass[], fresh: number[]): Promise<void> {
    try {
      const changed = before.filter(({ class_draft_id }) => class_draft_id !== null)
      if (changed.length > 0) await api.studioSchedule.change({ changes: changesBack(changed), as: 'draft' })
      if (fresh.length > 0) await api.studioSchedule.discard({ class_draft_id: fresh })
      showAlert('success', 'Deshecho.')
    } catch (error) {
      showAlert('alert', failureOf(error).message)
    }
    await refresh()
  }

  /** Saves an edit; the scope of one class of a series, and people who would be told, are asked about first. */
  function commit(keys: readonly string[], edit: PlanEdit, scope?: ClassChange['scope']): void {
    const classes = find(keys)
    const [one] = classes
    if (!one || save.isPending) return
    if (scope === undefined && classes.length === 1 && one.class_series_id !== null && one.single_class_id !== null) {
      setAsking({ kind: 'scope', cls: one, edit })
      return
    }
    const changes = changesOfEdit(classes, edit, scope ?? 'one')
    if (changes.length === 0) {
      setPending(null)
      return
    }
    const text = editText(classes, edit, records)
    const { shown_as: _, ...after } = edited(one, edit, records)
    refocus.current = classKey(after)
    send({ changes, text, before: classes }, scope)
  }

  /** Saves changes; published at once are only those of classes in which nobody has a place, everything else says first whom it concerns. */
  function send(sent: Sent, scope: ClassChange['scope'] = 'one'): void {
    const { changes, text, before } = sent
    if (changes.length === 0) showAlert('alert', 'No hay nada que cambiar.')
    else if (saves_as === 'publish' && (!before.every(isEmpty) || scope !== 'one')) setAsking({ kind: 'publish', changes, text })
    else save.mutate(sent)
  }

  function copy(classes: readonly PlannedClass[], edit: PlanEdit): void {
    const copied = classes.filter((cls) => edited(cls, edit, records).class_date.slice(0, 10) >= given.today)
    if (copied.length === 0) return void showAlert('alert', 'Ese día ya pasó.')
    const left = classes.length - copied.length
    const what = copied.length === 1 ? `Copia de ${editText(copied, edit, records)}` : `Se copiaron ${copied.length} clases`
    save.mutate({ changes: copiesOf(copied, edit), before: [], text: `${what}${left ? `; ${left} ya pasaron` : ''}` })
  }

  /** The classes that a verb on one of them concerns: the selection when it belongs to it. */
  const concerned = (key: string): string[] =>
    find(selected.has(key) ? selected : [key])
      .filter(isEditable)
      .map(classKey)

  function nudge(cls: PlannedClass, by: Partial<PlanEdit>): void {
    const key = classKey(cls)
    if (!canEdit || save.isPending) return
    if (pending && !pending.keys.includes(key)) {
      showAlert('alert', 'Primero guarda o deja el cambio que empezaste.')
      return
    }
    const keys = pending?.keys ?? concerned(key)
    if (keys.length === 0) return void showAlert('alert', 'Esta clase ya no se cambia.')
    refocus.current = key
    const edit = combined(pending?.edit ?? NO_EDIT, by)
    setPending(isNothing(edit) ? null : { keys, edit })
  }

  /** The step of Alt and an arrow key: time and day, or the next column or row of the view. */
  function stepOf(key: string, element: EventTarget): Partial<PlanEdit> | null {
    const arrow = ARROWS[key]
    if (!arrow) return null
    const list = arrow.days === 0 ? given.down : given.across
    if (list === null) return arrow
    const column = columnOf(element)
    const lines = [...new Set(list.map(lineOf))]
    const here = list.find((target) => target.column === column)
    if (!here) return null
    const next = lines[lines.indexOf(lineOf(here)) + Math.sign(arrow.days || arrow.minutes)]
    const target = list.find((one) => lineOf(one) === next)
    if (!target) return null
    if (target.venue) return { venue: target.venue }
    return target.coach === undefined ? null : { coach: { from: here.coach ?? null, to: target.coach } }
  }

  function toggle(key: string): void {
    last.current = key
    setSelected((current) => {
      const next = new Set(current)
      if (!next.delete(key)) next.add(key)
      return next
    })
  }
  function selectTo(key: string): void {
    const order = shown.map(classKey)
    const [from, to] = [order.indexOf(last.current ?? key), order.indexOf(key)]
    if (from < 0 || to < 0) toggle(key)
    else setSelected((current) => new Set([...current, ...order.slice(Math.min(from, to), Math.max(from, to) + 1)]))
  }
  function onLasso(keys: readonly string[] | null): void {
    lassoBase.current = keys && (lassoBase.current ?? selected)
    if (keys && lassoBase.current) setSelected(new Set([...lassoBase.current, ...keys]))
  }
  /** Selects classes, also of other weeks, instead of those that are selected. */
  function select(classes: readonly PlannedClass[]): void {
    setOthers(classes)
    setSelected(new Set(classes.map(classKey)))
  }
  const clear = () => {
    setSelected(NONE)
    setOthers([])
    setSelecting(false)
  }

  function toClipboard(key: string): void {
    clipboard.current = find(selected.has(key) ? selected : [key]).filter(({ state }) => state !== 'cancelled')
    const count = clipboard.current.length
    const what = count === 1 ? 'Clase copiada.' : `${count} clases copiadas.`
    if (count > 0) showAlert('success', `${what} Ve a otro día o a otra semana y pega con Ctrl V.`)
  }
  function paste(day: LocalDate | null): void {
    if (clipboard.current.length === 0 || save.isPending) return
    const edit = pasteEdit(clipboard.current, { day, monday: given.monday })
    if (edit) copy(clipboard.current, edit)
    else showAlert('alert', 'Ve a otra semana, o a una clase de otro día, y pega otra vez.')
  }

  function onKey(event: KeyboardEvent<HTMLElement>, cls: PlannedClass): void {
    const key = classKey(cls)
    const mod = event.ctrlKey || event.metaKey
    const isArrow = event.key in ARROWS
    const done = (): true => {
      event.preventDefault()
      return true
    }
    if (canEdit && event.altKey && isArrow && done()) {
      const step = stepOf(event.key, event.currentTarget)
      if (step) nudge(cls, step)
    } else if (canEdit && event.shiftKey && (event.key === 'ArrowUp' || event.key === 'ArrowDown') && done())
      nudge(cls, { length: event.key === 'ArrowDown' ? STEP_MINUTES : -STEP_MINUTES })
    else if (canEdit && mod && event.key === 'c' && done()) toClipboard(key)
    else if (canEdit && mod && event.key === 'a' && done()) setSelected(new Set(shown.map(classKey)))
    else if (pending && event.key === 'Enter' && done()) commit(pending.keys, pending.edit)
    else if (pending && event.key === 'Escape' && done()) setPending(null)
    else if (selected.size > 0 && event.key === 'Escape' && done()) clear()
    else if (canEdit && (event.key === 'Delete' || event.key === 'Backspace') && done())
      setAsking({ kind: 'delete', keys: selected.has(key) ? [...selected] : [key] })
    else if (isArrow && !event.altKey && !event.shiftKey && !mod && done())
      blockAt(root.current ?? document, event.currentTarget, event.key)?.focus()
  }

  function onOpen(cls: PlannedClass, event: MouseEvent): void {
    const key = classKey(cls)
    if (canEdit && event.shiftKey) selectTo(key)
    else if (canEdit && (event.ctrlKey || event.metaKey || selecting)) toggle(key)
    else if (!pending?.keys.includes(key)) given.onOpen(cls)
  }

  const minutesOf = (key: string): number => find([key])[0]?.duration_minutes ?? 0
  /** The edit that a drop means for the class that was dragged. */
  function editTo(cls: PlannedClass, { column, from, minute }: DragSpot): PlanEdit | null {
    const [target, source] = [column, from].map((name) => given.targets.find((one) => one.column === name))
    if (!target) return null
    const isElsewhere = target.venue !== null && (cls.room?.room_id ?? null) !== target.venue.room_id
    const isOtherLocation = target.venue !== null && target.venue.location_id !== cls.location.location_id
    return {
      ...NO_EDIT,
      days: daysBetween(cls.class_date.slice(0, 10), target.day),
      minutes: minute === null ? 0 : minute - minuteOf(cls.class_date),
      venue: isElsewhere || isOtherLocation ? target.venue : null,
      coach: target.coach === undefined || target.coach === source?.coach ? null : { from: source?.coach ?? null, to: target.coach },
    }
  }
  const dragging: DragEvents = {
    onOver: (key, spot) => ghost.set(spot && { column: spot.column, minute: spot.minute ?? 0, minutes: minutesOf(key) }),
    onDrop(key, spot, isCopy) {
      ghost.set(null)
      const [cls] = find([key])
      const edit = cls && spot ? editTo(cls, spot) : null
      if (!cls || !edit || isNothing(edit)) return
      setPending(null)
      if (isCopy) copy(find(selected.has(key) ? selected : [key]), edit)
      else commit(concerned(key), edit)
    },
    onResize(key, length) {
      const [cls] = find([key])
      const target = cls && given.targets.find(({ day, venue }) => day === cls.class_date.slice(0, 10) && isAt(cls, venue))
      if (!cls || !target) return
      const minutes = Math.max(STEP_MINUTES, cls.duration_minutes + length)
      ghost.set({ column: target.column, minute: minuteOf(cls.class_date), minutes })
    },
    onResized(key, length) {
      ghost.set(null)
      if (length !== 0) commit([key], { ...NO_EDIT, length })
    },
  }

  // The blocks get the same functions while the screen is drawn again; these always see its latest state.
  const current = { onOpen, onKey, paste, dragging, onNew: given.onNew, selecting, onLasso }
  const latest = useRef(current)
  useLayoutEffect(() => {
    latest.current = current
  })
  const actions = useMemo<PlanActions>(
    () => ({
      onOpen: (cls, event) => latest.current.onOpen(cls, event),
      onKey: (event, cls) => latest.current.onKey(event, cls),
      onNew: canEdit ? (at) => latest.current.onNew(at) : null,
      isSelecting: () => latest.current.selecting,
      onLasso: (keys) => latest.current.onLasso(keys),
      canEdit: isEditable,
      drag,
    }),
    [canEdit, drag],
  )

  useEffect(() => {
    if (!canEdit || !matchMedia('(any-pointer: fine), (min-width: 761px)').matches) return
    let isGone = false
    void import('./plan-drag.ts').then(({ createPlanDrag }) => {
      const events: DragEvents = {
        onOver: (key, spot) => latest.current.dragging.onOver(key, spot),
        onDrop: (key, spot, isCopy) => latest.current.dragging.onDrop(key, spot, isCopy),
        onResize: (key, length) => latest.current.dragging.onResize(key, length),
        onResized: (key, length) => latest.current.dragging.onResized(key, length),
      }
      if (!isGone) setDrag(createPlanDrag(events))
    })
    return () => {
      isGone = true
    }
  }, [canEdit])

  // Pasting also works without a class in focus: into the week on the screen.
  useEffect(() => {
    if (!canEdit) return
    const onPaste = (event: globalThis.KeyboardEvent) => {
      const { target } = event
      if (event.key !== 'v' || !(event.ctrlKey || event.metaKey) || clipboard.current.length === 0) return
      if (!(target instanceof Element) || target.closest('input, textarea, select, dialog, [contenteditable]')) return
      event.preventDefault()
      const day = target.matches('[data-class]') ? columnOf(target) : ''
      latest.current.paste(/\d{4}-\d{2}-\d{2}/.exec(day)?.[0] ?? null)
    }
    addEventListener('keydown', onPaste)
    return () => removeEventListener('keydown', onPaste)
  }, [canEdit])

  // An edit moves the block to another column, which draws it anew: the focus goes with it, or to the bar when it left the screen.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once after each step of an edit, and when it is over
  useLayoutEffect(() => {
    const key = refocus.current
    if (key === null) return
    if (!focusBlock(root.current, key)) document.querySelector<HTMLElement>('[data-pending-save]')?.focus()
    if (!pending) refocus.current = null
  }, [pending])

  const keys = useMemo(() => new Set(pending?.keys ?? []), [pending])
  const marks: PlanMarks = { tones: given.tones, current: given.current, selected, pending: keys, actions }
  return {
    days: pending ? withEdit(days, keys, pending.edit, records) : days,
    ...{ select, beyond: [...selected].filter((key) => !here.has(key)).length },
    ...{ marks, ghost, asking, setAsking, commit, send, find, selecting, setSelecting, clear, keyOf: classKey },
    selection: find(selected),
    toggleFocused() {
      const key = focusedKey()
      if (key) toggle(key)
    },
    selectToFocused() {
      const key = focusedKey()
      if (key) selectTo(key)
    },
    pending: pending && {
      text: editText(find(pending.keys), pending.edit, records),
      isSaving: save.isPending,
      save: () => commit(pending.keys, pending.edit),
      leave: () => setPending(null),
    },
    /** After something else saved an edit: a dialog. */
    settle: () => setPending(null),
  }
}

const focusedKey = (): string | undefined =>
  document.activeElement instanceof HTMLElement ? document.activeElement.dataset.class : undefined

const isAt = (cls: PlannedClass, venue: Venue | null): boolean =>
  venue === null || (venue.location_id === cls.location.location_id && venue.room_id === (cls.room?.room_id ?? null))

/** What the columns or cells of one column or row of the view have in common. */
const lineOf = ({ venue, coach, day }: PlanTarget): string =>
  venue ? `${venue.location_id} ${venue.room_id}` : coach === undefined ? day : `coach ${coach}`
