import { useEffect, useLayoutEffect, useRef } from 'react'
import type { PlannedClass } from '#contract/studio-schedule.ts'
import type { LocalDate } from '#contract/time.ts'
import { showAlert } from '#web/lib/alerts.ts'
import { type PlanEdit, pasteEdit } from './plan-edits.ts'
import { columnOf } from './plan-steps.ts'

interface ClipboardOptions {
  monday: LocalDate
  canEdit: boolean
  isSaving: boolean
  onCopy: (classes: readonly PlannedClass[], edit: PlanEdit) => void
}

/** Copying classes with Ctrl C and pasting them with Ctrl V on another day or in another week. */
export function usePlanClipboard({ monday, canEdit, isSaving, onCopy }: ClipboardOptions) {
  const clipboard = useRef<PlannedClass[]>([])

  function toClipboard(classes: readonly PlannedClass[]): void {
    clipboard.current = classes.filter(({ state }) => state !== 'cancelled')
    const count = clipboard.current.length
    const what = count === 1 ? 'Clase copiada.' : `${count} clases copiadas.`
    if (count > 0) showAlert('success', `${what} Ve a otro día o a otra semana y pega con Ctrl V.`)
  }
  function paste(day: LocalDate | null): void {
    if (clipboard.current.length === 0 || isSaving) return
    const edit = pasteEdit(clipboard.current, { day, monday })
    if (edit) onCopy(clipboard.current, edit)
    else showAlert('alert', 'Ve a otra semana, o a una clase de otro día, y pega otra vez.')
  }
  const latest = useRef(paste)
  useLayoutEffect(() => {
    latest.current = paste
  })

  // Pasting also works without a class in focus: into the week on the screen.
  useEffect(() => {
    if (!canEdit) return
    const onPaste = (event: globalThis.KeyboardEvent) => {
      const { target } = event
      if (event.key !== 'v' || !(event.ctrlKey || event.metaKey) || clipboard.current.length === 0) return
      if (!(target instanceof Element) || target.closest('input, textarea, select, dialog, [contenteditable]')) return
      event.preventDefault()
      const day = target.matches('[data-class]') ? columnOf(target) : ''
      latest.current(/\d{4}-\d{2}-\d{2}/.exec(day)?.[0] ?? null)
    }
    addEventListener('keydown', onPaste)
    return () => removeEventListener('keydown', onPaste)
  }, [canEdit])
  return { toClipboard }
}
