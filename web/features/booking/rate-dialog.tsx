import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Reservation } from '#contract/bookings.ts'
import { instructorName } from '#contract/copy/instructor-names.ts'
import { formatWall } from '#contract/time.ts'
import { CoachAvatar } from '#web/features/site/coach-portrait.tsx'
import { showAlert } from '#web/lib/alerts.ts'
import { api, queries } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { useDialogState, useDraft } from '#web/lib/use-dialog-state.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { TextArea } from '#web/ui/field.tsx'
import { Stars } from '#web/ui/stars.tsx'

/**
 * 'Calificar Clase' (S2-2.51, S2-5.07 to S2-5.09): comment and buttons appear once the coach has stars; stars for the class are optional.
 */
export function RateDialog({ row, onClose }: { row: Reservation | null; onClose: () => void }) {
  if (!row) return null
  return <RateForm key={row.class_reservation_id} row={row} onClose={onClose} />
}

/** The stars of a text from the address; 0 if it has none. */
const starsFrom = (text: string | null): number => (text && /^[1-5]$/.test(text) ? Number(text) : 0)

function RateForm({ row, onClose }: { row: Reservation; onClose: () => void }) {
  const client = useQueryClient()
  const { getChoice, setChoices } = useDialogState()
  const [classStars, setClassStars] = useState(() => starsFrom(getChoice('estrellas')))
  const [coachStars, setCoachStars] = useState(() => starsFrom(getChoice('estrellas_coach')))
  const [comment, setComment] = useDraft(`calificar:${row.class_reservation_id}`)
  const [wrong, setWrong] = useState<string | null>(null)
  const coach = row.single_class.class_instructors[0]?.instructor
  const rate = useMutation({
    meta: { handled: true },
    mutationFn: () =>
      api.bookings.rate({
        class_reservation_id: row.class_reservation_id,
        class_stars: classStars || null,
        coach_stars: coachStars,
        comment: comment.trim() || null,
      }),
    async onSuccess() {
      showAlert('success', 'Gracias por calificar tu clase.')
      onClose()
      await client.invalidateQueries({ queryKey: queries.bookings.key() })
    },
    onError: (error) => setWrong(toFailure(error).message),
  })
  return (
    <Dialog
      open
      onClose={rate.isPending ? null : onClose}
      title="Calificar Clase"
      actions={
        coachStars > 0 && (
          <>
            <Button variant="outline" disabled={rate.isPending} onClick={onClose}>
              Cancelar
            </Button>
            <Button loading={rate.isPending} onClick={() => rate.mutate()}>
              Enviar
            </Button>
          </>
        )
      }
    >
      <p className="muted">
        {row.single_class.class_type.name}, {formatWall(row.single_class.class_date, 'class')}
      </p>
      <Stars
        legend="La clase"
        value={classStars}
        onChange={(stars) => {
          setClassStars(stars)
          setChoices({ estrellas: stars })
        }}
      />
      <Stars
        legend={
          coach ? (
            <span className="reservation-coach">
              <CoachAvatar coach={coach} size={28} />
              {instructorName(coach)}
            </span>
          ) : (
            'Coach'
          )
        }
        value={coachStars}
        onChange={(stars) => {
          setCoachStars(stars)
          setChoices({ estrellas_coach: stars })
        }}
      />
      {coachStars > 0 && (
        <TextArea
          label="Comentario"
          name="comment"
          optional
          maxLength={2_000}
          value={comment}
          onChange={(event) => setComment(event.currentTarget.value)}
        />
      )}
      {wrong && (
        <Banner tone="danger" live>
          {wrong}
        </Banner>
      )}
    </Dialog>
  )
}
