/** Moving, resizing, copying and selecting classes, with the pointer and with the keyboard alone, in every view of the timetable. */
import { type KeyboardEvent, type MouseEvent, type RefObject, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { ClassChange, PlannedClass } from '#contract/studio-schedule.ts'
import type { LocalDate } from '#contract/time.ts'
import { showAlert } from '#web/lib/alerts.ts'
import { blockAt, focusBlock } from './block-focus.ts'
import type { BulkKind } from './bulk-changes.ts'
import { classKey } from './class-key.ts'
import {
  applyPlanEdit,
  changesOfEdit,
  combineEdits,
  copiesOf,
  editText,
  isEditable,
  isEmpty,
  isNothing,
  NO_EDIT,
  type PlanEdit,
  withEdit,
} from './plan-edits.ts'
import { createGhost } from './plan-ghost.ts'
import { handlePlanKey } from './plan-keys.ts'
import type { NewAt, PlanActions, PlanMarks, PlanTones } from './plan-marks.ts'
import { keyboardStep, type PlanTarget } from './plan-steps.ts'
import type { PlanDay, PlanRecords } from './plan-views.ts'
import { usePlanClipboard } from './use-plan-clipboard.ts'
import { usePlanDrag } from './use-plan-drag.ts'
import { type PlanSave, usePlanSave } from './use-plan-save.ts'
import { usePlanSelection } from './use-plan-selection.ts'

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
export type PlanDialog =
  | { kind: 'scope'; cls: PlannedClass; edit: PlanEdit }
  | { kind: 'publish'; changes: readonly ClassChange[]; text: string }
  | { kind: 'delete' | 'cancel'; keys: readonly string[] }
  | { kind: BulkKind; keys: readonly string[] }
  | { kind: 'drafts'; ids: number[] }

export function usePlanEdits(input: Given) {
  const { root, days, records, saves_as, canEdit } = input
  const [pending, setPending] = useState<Pending | null>(null)
  const [dialog, setDialog] = useState<PlanDialog | null>(null)
  const [ghost] = useState(createGhost)
  const refocus = useRef<string | null>(null)
  const shown = days.flatMap(({ classes }) => classes)
  const selection = usePlanSelection(shown)
  const { selected, find, toggle, selectTo, selecting, clear } = selection
  const save = usePlanSave({
    saves_as,
    onSaved() {
      setPending(null)
      // What was read of other weeks is another state now.
      if (selection.hasOthers) clear()
    },
    onRefused: () => setPending(null),
    // The dialog is refused as well, and shows both versions.
    onConflict: ({ changes, text }) => setDialog({ kind: 'publish', changes, text }),
  })
  const { toClipboard } = usePlanClipboard({ monday: input.monday, canEdit, isSaving: save.isPending, onCopy: copy })
  const drag = usePlanDrag({
    canEdit,
    targets: input.targets,
    ghost,
    find,
    onDropped(cls, edit, isCopy) {
      setPending(null)
      if (isCopy) copy(find(selection.withSelection(classKey(cls))), edit)
      else commit(concerned(classKey(cls)), edit)
    },
    onLength: (cls, length) => commit([classKey(cls)], { ...NO_EDIT, length }),
  })

  /** Saves an edit. Opens a dialog first for one class of a series (its scope) and when people would be notified. */
  function commit(keys: readonly string[], edit: PlanEdit, scope?: ClassChange['scope']): void {
    const classes = find(keys)
    const [cls] = classes
    if (!cls || save.isPending) return
    if (scope === undefined && classes.length === 1 && cls.class_series_id !== null && cls.single_class_id !== null) {
      setDialog({ kind: 'scope', cls, edit })
      return
    }
    const changes = changesOfEdit(classes, edit, scope ?? 'one')
    if (changes.length === 0) {
      setPending(null)
      return
    }
    const text = editText(classes, edit, records)
    const { shown_as: _, ...after } = applyPlanEdit(cls, edit, records)
    refocus.current = classKey(after)
    send({ changes, text, before: classes }, scope)
  }

  /**
   * Saves changes. They are published at once only when no class has a reservation, hold or waitlist entry; otherwise a dialog shows first
   * whom they affect.
   */
  function send(sent: PlanSave, scope: ClassChange['scope'] = 'one'): void {
    const { changes, text, before } = sent
    if (changes.length === 0) showAlert('alert', 'No hay nada que cambiar.')
    else if (saves_as === 'publish' && (!before.every(isEmpty) || scope !== 'one')) setDialog({ kind: 'publish', changes, text })
    else save.mutate(sent)
  }

  function copy(classes: readonly PlannedClass[], edit: PlanEdit): void {
    const copied = classes.filter((cls) => applyPlanEdit(cls, edit, records).class_date.slice(0, 10) >= input.today)
    if (copied.length === 0) return void showAlert('alert', 'Ese día ya pasó.')
    const left = classes.length - copied.length
    const what = copied.length === 1 ? `Copia de ${editText(copied, edit, records)}` : `Se copiaron ${copied.length} clases`
    save.mutate({ changes: copiesOf(copied, edit), before: [], text: `${what}${left ? `; ${left} ya pasaron` : ''}` })
  }

  /** The classes that a verb on one of them concerns: the selection when it belongs to it. */
  const concerned = (key: string): string[] => find(selection.withSelection(key)).filter(isEditable).map(classKey)

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
    const edit = combineEdits(pending?.edit ?? NO_EDIT, by)
    setPending(isNothing(edit) ? null : { keys, edit })
  }

  const onKey = (event: KeyboardEvent<HTMLElement>, cls: PlannedClass): void =>
    handlePlanKey(event, {
      canEdit,
      step: () => keyboardStep(event.key, event.currentTarget, input),
      nudge: (by) => nudge(cls, by),
      copy: () => toClipboard(find(selection.withSelection(classKey(cls)))),
      remove: () => setDialog({ kind: 'delete', keys: [...selection.withSelection(classKey(cls))] }),
      selectAll: selection.selectAll,
      clearSelection: selected.size > 0 ? clear : null,
      pending: pending && { save: () => commit(pending.keys, pending.edit), leave: () => setPending(null) },
      focusNext: () => blockAt(root.current ?? document, event.currentTarget, event.key)?.focus(),
    })

  function onOpen(cls: PlannedClass, event: MouseEvent): void {
    const key = classKey(cls)
    if (canEdit && event.shiftKey) selectTo(key)
    else if (canEdit && (event.ctrlKey || event.metaKey || selecting)) toggle(key)
    else if (!pending?.keys.includes(key)) input.onOpen(cls)
  }

  // The blocks get the same functions while the screen is drawn again; these always see its latest state.
  const current = { onOpen, onKey, onNew: input.onNew, selecting, onLasso: selection.onLasso }
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

  useFocusAfterStep(root, refocus, pending)

  const keys = useMemo(() => new Set(pending?.keys ?? []), [pending])
  const marks: PlanMarks = { tones: input.tones, current: input.current, selected, pending: keys, actions }
  return {
    days: pending ? withEdit(days, keys, pending.edit, records) : days,
    select: selection.select,
    beyond: selection.beyond,
    marks,
    ghost,
    dialog,
    setDialog,
    commit,
    send,
    find,
    selecting,
    setSelecting: selection.setSelecting,
    clear,
    keyOf: classKey,
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

/**
 * An edit moves the block to another column, which draws it anew: the focus goes with it, or to the bar when it left the screen. `refocus`:
 * the key of the class that has the focus, null when none is edited.
 */
function useFocusAfterStep(root: RefObject<HTMLElement | null>, refocus: RefObject<string | null>, pending: Pending | null): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once after each step of an edit, and when it is over
  useLayoutEffect(() => {
    const key = refocus.current
    if (key === null) return
    if (!focusBlock(root.current, key)) document.querySelector<HTMLElement>('[data-pending-save]')?.focus()
    if (!pending) refocus.current = null
  }, [pending])
}
