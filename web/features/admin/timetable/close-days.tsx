import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { MAX_EXTENSION_DAYS } from '#contract/holidays.ts'
import { offerUndo } from '#web/features/admin/frame/undo.tsx'
import { showAlert } from '#web/lib/alerts.ts'
import { api, useIdempotentMutation } from '#web/lib/api.ts'
import { failureOf } from '#web/lib/errors.ts'
import { Banner } from '#web/ui/banner.tsx'
import { RadioCards } from '#web/ui/choice.tsx'
import { TextField } from '#web/ui/field.tsx'
import { takeBack } from './take-back.ts'
import { resultSentences } from './timetable-text.ts'
import { useHolidayRefresh } from './use-holidays.ts'

type Sent = Parameters<typeof api.holidays.add>[0]

/**
 * What adding days does: says first which classes are there, lets them stay or be cancelled, and lengthens credits. `days` null: nothing to add
 * yet. Render `fields` in a dialog and call `send` from its button.
 */
export function useCloseDays(days: Sent['holidays'] | null, onDone: () => void) {
  const [classes, setClasses] = useState<'keep' | 'cancel'>('keep')
  const [extension, setExtension] = useState('')
  const refresh = useHolidayRefresh()
  const extend_days = extension === '' ? 0 : Number(extension)
  const isExtensionWrong = !/^\d{0,2}$/.test(extension) || extend_days > MAX_EXTENSION_DAYS
  const input = days && !isExtensionWrong ? { holidays: days, classes, extend_days } : null
  const serialized = JSON.stringify(input)
  const { mutate: rehearse, ...trial } = useMutation({
    meta: { handled: true },
    mutationFn: (sent: Sent) => api.holidays.add({ ...sent, dry_run: true }),
  })
  useEffect(() => {
    const sent = JSON.parse(serialized) as Sent | null
    // Typing a date is not a question yet.
    const timer = sent && setTimeout(() => rehearse(sent), 250)
    return () => clearTimeout(timer ?? undefined)
  }, [serialized, rehearse])
  const add = useIdempotentMutation((sent: Sent, { context }) => api.holidays.add(sent, { context }), {
    async onSuccess({ undo_id, result }) {
      await refresh()
      const words = result.cancelled ? `Guardado. ${resultSentences(result)[0] ?? ''}` : 'Guardado.'
      if (undo_id) offerUndo(words, () => void takeBack(undo_id, refresh))
      else showAlert('success', words)
      onDone()
    },
    onError: () => undefined,
  })
  const found = trial.data
  const failure = add.error ?? trial.error
  return {
    isPending: add.isPending,
    reason: input === null ? 'Falta elegir los días.' : trial.isError ? 'Así no se puede guardar.' : null,
    send: () => input && !trial.isError && add.mutate(input),
    fields: (
      <>
        {failure && (
          <Banner tone="danger" live>
            {failureOf(failure).message}
          </Banner>
        )}
        {input && found && found.classes > 0 && (
          <>
            <RadioCards
              legend={found.classes === 1 ? 'Hay 1 clase esos días' : `Hay ${found.classes} clases esos días`}
              options={[
                { value: 'keep', title: 'Se quedan', detail: 'El horario las señala como conflicto.' },
                { value: 'cancel', title: 'Se cancelan', detail: 'Se avisa a quien tiene lugar y le regresa su crédito.' },
              ]}
              value={classes}
              onChange={setClasses}
            />
            {classes === 'cancel' && (
              <ul className="plan-result">
                {resultSentences(found.result).map((sentence) => (
                  <li key={sentence}>{sentence}</li>
                ))}
              </ul>
            )}
          </>
        )}
        <TextField
          label="Alargar los créditos vigentes"
          optional
          inputMode="numeric"
          maxLength={2}
          after={<span className="muted">días</span>}
          hint={
            extend_days > 0 && found && found.extended > 0
              ? `Son ${found.extended} paquetes de créditos.`
              : 'Los que se pueden usar el primero de estos días duran más, también los ilimitados.'
          }
          error={isExtensionWrong ? `Escribe un número del 0 al ${MAX_EXTENSION_DAYS}.` : undefined}
          value={extension}
          onChange={(event) => setExtension(event.currentTarget.value)}
        />
      </>
    ),
  }
}
