import { IconDots, IconEye, IconLock, IconPin } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { CustomerNote } from '#contract/customer-file.ts'
import { formatInstant } from '#contract/time.ts'
import { ConflictDialog, VersionsTable } from '#web/features/admin/frame/conflict-dialog.tsx'
import { may, useStaff } from '#web/features/admin/frame/staff.tsx'
import { useVersionedEdit } from '#web/features/admin/frame/use-versioned-edit.ts'
import { PartNotLoaded } from '#web/features/site/not-loaded.tsx'
import { showAlert } from '#web/lib/alerts.ts'
import { api, newIdempotencyKey } from '#web/lib/api.ts'
import { alertFailure, toFailure } from '#web/lib/errors.ts'
import { useSite } from '#web/lib/settings.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Switch } from '#web/ui/choice.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { TextArea } from '#web/ui/field.tsx'
import { Menu, MenuItem } from '#web/ui/menu.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { useCustomerFile, useCustomerFileChanged } from './use-customer-file.ts'

/** The staff's notes about a customer; staff who may edit customers add, change and remove them. */
export function CustomerNotes({ customer_id }: { customer_id: number }) {
  const staff = useStaff()
  const file = useCustomerFile(customer_id)
  const canEdit = may(staff, 'customers.edit')
  const [changing, setChanging] = useState<CustomerNote | null>(null)
  if (!file.data)
    return file.isError ? (
      <div className="panel-body">
        <PartNotLoaded query={file}>No pudimos cargar sus notas.</PartNotLoaded>
      </div>
    ) : (
      <Skeleton height="120px" />
    )
  const { notes } = file.data
  return (
    <div className="panel-body stack gap-16">
      {notes.length === 0 && <p className="muted">Nadie ha escrito notas.</p>}
      {notes.length > 0 && (
        <ul className="note-list">
          {notes.map((note) => (
            <Note key={note.customer_note_id} customer_id={customer_id} note={note} onChange={canEdit ? () => setChanging(note) : null} />
          ))}
        </ul>
      )}
      {canEdit && <NewNote customer_id={customer_id} />}
      {changing && (
        <ChangeNote
          customer_id={customer_id}
          note={notes.find(({ customer_note_id }) => customer_note_id === changing.customer_note_id) ?? changing}
          onClose={() => setChanging(null)}
        />
      )}
    </div>
  )
}

function Note({ customer_id, note, onChange }: { customer_id: number; note: CustomerNote; onChange: (() => void) | null }) {
  const site = useSite()
  const changed = useCustomerFileChanged()
  const { customer_note_id, pinned, for_coaches } = note
  const change = useMutation({
    meta: { handled: true },
    mutationFn: (facts: { pinned?: boolean; for_coaches?: boolean }) =>
      api.customerFile.changeNote({ customer_id, customer_note_id, ...facts }),
    onSuccess: changed,
    onError: alertFailure,
  })
  const remove = useMutation({
    meta: { handled: true },
    mutationFn: () => api.customerFile.removeNote({ customer_id, customer_note_id }),
    onSuccess: async () => {
      await changed()
      showAlert('success', 'Nota borrada.')
    },
    onError: alertFailure,
  })
  return (
    <li>
      <div className="grow">
        <p className="note-text">
          {pinned && <IconPin className="icon" role="img" aria-label="Fija" />} {note.text}
        </p>
        <p className="small muted row gap-6">
          {for_coaches ? <IconEye className="icon" aria-hidden="true" /> : <IconLock className="icon" aria-hidden="true" />}
          {for_coaches ? 'Visible para coaches' : 'Solo recepción'} · {note.author},{' '}
          {formatInstant(new Date(note.createdAt), site.zone, 'date')}
        </p>
      </div>
      {onChange && (
        <Menu label="Cambiar esta nota" buttonClass="icon-btn icon-btn-bare" button={<IconDots className="icon" aria-hidden="true" />}>
          <MenuItem onClick={onChange}>Cambiar el texto</MenuItem>
          <MenuItem onClick={() => change.mutate({ pinned: !pinned })}>{pinned ? 'Dejar de fijar' : 'Fijar arriba'}</MenuItem>
          <MenuItem onClick={() => change.mutate({ for_coaches: !for_coaches })}>
            {for_coaches ? 'Ocultar a los coaches' : 'Mostrar a los coaches'}
          </MenuItem>
          <MenuItem onClick={() => remove.mutate()}>Borrar</MenuItem>
        </Menu>
      )}
    </li>
  )
}

const MAX_LENGTH = 2_000

function NewNote({ customer_id }: { customer_id: number }) {
  const changed = useCustomerFileChanged()
  const [text, setText] = useState('')
  const [forCoaches, setForCoaches] = useState(false)
  const [intention, setIntention] = useState(newIdempotencyKey)
  const saving = useMutation({
    meta: { handled: true },
    mutationFn: () => api.customerFile.addNote({ customer_id, text: text.trim(), for_coaches: forCoaches }, { context: { intention } }),
    onSuccess: async () => {
      setText('')
      setForCoaches(false)
      setIntention(newIdempotencyKey())
      await changed()
      showAlert('success', 'Guardado.')
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (text.trim()) saving.mutate()
  }
  return (
    <form className="stack gap-12" onSubmit={submit}>
      {saving.isError && (
        <Banner tone="danger" live>
          {toFailure(saving.error).message}
        </Banner>
      )}
      <TextArea label="Nota nueva" rows={2} maxLength={MAX_LENGTH} value={text} onChange={(event) => setText(event.currentTarget.value)} />
      <div className="note-foot">
        <Switch checked={forCoaches} onChange={(event) => setForCoaches(event.currentTarget.checked)}>
          Visible para coaches
        </Switch>
        <Button type="submit" variant="outline" loading={saving.isPending} reason={text.trim() ? null : 'Escribe la nota.'}>
          Guardar
        </Button>
      </div>
    </form>
  )
}

const NO_TEXT = { text: '' }

function ChangeNote({ customer_id, note, onClose }: { customer_id: number; note: CustomerNote; onClose: () => void }) {
  const changed = useCustomerFileChanged()
  const edit = useVersionedEdit({
    stored: note,
    start: NO_TEXT,
    toDraft: ({ text }: CustomerNote) => ({ text }),
    send: ({ text }: typeof NO_TEXT, base: CustomerNote | null) =>
      api.customerFile.changeNote({
        customer_id,
        customer_note_id: note.customer_note_id,
        text: text.trim(),
        ...(base && { if_updatedAt: base.updatedAt }),
      }),
    reload: changed,
    async onSaved() {
      await changed()
      showAlert('success', 'Guardado.')
      onClose()
    },
  })
  const { text } = edit.draft
  const { conflict } = edit
  const missing = text.trim() ? null : 'Escribe la nota.'
  return (
    <Dialog
      open
      onClose={edit.isSaving ? null : onClose}
      title="Cambiar la nota"
      actions={
        <>
          <Button variant="outline" onClick={onClose}>
            No cambiar nada
          </Button>
          <Button loading={edit.isSaving} reason={missing} onClick={() => !missing && edit.save()}>
            Guardar
          </Button>
        </>
      }
    >
      {edit.refusal && (
        <Banner tone="danger" live>
          {edit.refusal.message}
        </Banner>
      )}
      <TextArea
        label="Nota"
        rows={4}
        maxLength={MAX_LENGTH}
        value={text}
        onChange={(event) => edit.setDraft({ text: event.currentTarget.value })}
      />
      {conflict && (
        <ConflictDialog title="Alguien más cambió esta nota" {...conflict}>
          <VersionsTable fields={[{ label: 'Nota', theirs: conflict.theirs.text, mine: conflict.mine.text }]} />
        </ConflictDialog>
      )}
    </Dialog>
  )
}
