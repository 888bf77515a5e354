import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { success } from '#contract/copy/messages.ts'
import type { Customer } from '#contract/people.ts'
import { showAlert } from '#web/lib/alerts.ts'
import { queries } from '#web/lib/api.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import './profile-card.css'

interface ProfileCardProps {
  title: string
  /** text of the button that opens the form */
  change?: string
  /** the read-only view */
  children: ReactNode
  /** the form; `done` returns to the read-only view */
  edit: (done: () => void) => ReactNode
}

/** A part of the profile that is shown read-only and edited in place (S2-2.69, S2-2.70). */
export function ProfileCard({ title, change = 'Editar', children, edit }: ProfileCardProps) {
  const titleId = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  const [editing, setEditing] = useState(false)
  const wasEditing = useRef(false)
  useEffect(() => {
    // The pressed button is gone: move the focus to the title of the new view.
    if (editing !== wasEditing.current) heading.current?.focus()
    wasEditing.current = editing
  }, [editing])
  return (
    <section className="card padded profile-card" aria-labelledby={titleId}>
      <div className="profile-head">
        <h2 id={titleId} ref={heading} className="t3" tabIndex={-1}>
          {title}
        </h2>
        {!editing && (
          <Button variant="outline" size="small" aria-label={`${change} ${title}`} onClick={() => setEditing(true)}>
            {change}
          </Button>
        )}
      </div>
      {editing ? edit(() => setEditing(false)) : children}
    </section>
  )
}

interface ProfileFormProps {
  form: {
    message: string | null
    busy: boolean
    onSubmit: (event: FormEvent<HTMLFormElement>) => void
    onInput: (event: FormEvent<HTMLFormElement>) => void
  }
  /** absent: the form has no read-only view to return to */
  onCancel?: () => void
  children: ReactNode
}

/** The form of a card, with its refusal above and its buttons below. */
export function ProfileForm({ form, onCancel, children }: ProfileFormProps) {
  return (
    <form className="stack gap-16" noValidate onSubmit={form.onSubmit} onInput={form.onInput}>
      {form.message && (
        <Banner tone="danger" live>
          {form.message}
        </Banner>
      )}
      {children}
      <div className="row wraps gap-8">
        <Button type="submit" loading={form.busy}>
          Guardar
        </Button>
        {onCancel && (
          <Button variant="outline" disabled={form.busy} onClick={onCancel}>
            Cancelar
          </Button>
        )}
      </div>
    </form>
  )
}

/** Call after a save: shows the success message and updates the cached customer from the answer (S1-8.56). */
export function useSaved(): (customer: Customer | null) => Promise<void> {
  const client = useQueryClient()
  return async (customer) => {
    if (customer) client.setQueryData(queries.people.me.queryKey(), { customer })
    else await client.invalidateQueries({ queryKey: queries.people.me.key() })
    // Whether a class can be reserved may depend on the profile.
    void client.invalidateQueries({ queryKey: queries.schedule.key() })
    showAlert('success', success.profileUpdated)
  }
}
