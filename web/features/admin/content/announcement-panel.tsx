import { useMutation } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { success } from '#contract/copy/messages.ts'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { showAlert } from '#web/lib/alerts.ts'
import { api } from '#web/lib/api.ts'
import { failureOf } from '#web/lib/errors.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/dialog.tsx'
import { Drawer } from '#web/ui/drawer.tsx'
import { TextField } from '#web/ui/field.tsx'

const HtmlEditor = lazy(() => import('./html-editor.tsx'))

export type StaffAnnouncement = Awaited<ReturnType<typeof api.content.admin.announcements.all>>['announcements'][number]

const EMPTY = 'Debes llenar este campo.'

interface AnnouncementPanelProps {
  /** null: a new one */
  announcement: StaffAnnouncement | null
  onChanged: () => Promise<unknown>
  onClose: () => void
}

/** One announcement: its title and text, and its removal. */
export function AnnouncementPanel({ announcement, onChanged, onClose }: AnnouncementPanelProps) {
  const before = { title: announcement?.title ?? '', content: announcement?.source ?? announcement?.content ?? '' }
  const [title, setTitle] = useState(before.title)
  const [content, setContent] = useState(before.content)
  const [checked, setChecked] = useState(false)
  const [asking, setAsking] = useState<'remove' | 'leave' | null>(null)
  const isChanged = title !== before.title || content !== before.content
  const done = async (message: string) => {
    await onChanged()
    showAlert('success', message)
    onClose()
  }
  const save = useMutation({
    meta: { handled: true },
    mutationFn: () =>
      announcement
        ? api.content.admin.announcements.update({ announcement_id: announcement.announcement_id, title, content })
        : api.content.admin.announcements.create({ title, content }),
    onSuccess: () => done(success.announcementSaved),
  })
  const remove = useMutation({
    meta: { handled: true },
    mutationFn: () => api.content.admin.announcements.remove({ announcement_id: announcement?.announcement_id ?? 0 }),
    onSuccess: () => done(success.announcementDeleted),
    onSettled: () => setAsking(null),
  })
  const failure = save.error ?? remove.error
  const submit = () => {
    setChecked(true)
    if (title.trim() && content.trim()) save.mutate()
  }
  const heading = announcement ? 'Aviso' : 'Nuevo aviso'
  return (
    <Drawer
      open
      side="right"
      label={heading}
      closeLabel="Cerrar"
      onClose={() => (isChanged ? setAsking('leave') : onClose())}
      head={<h2 className="t3">{heading}</h2>}
      foot={
        <div className="catalogue-foot">
          {announcement && (
            <Button variant="danger-quiet" onClick={() => setAsking('remove')}>
              Eliminar
            </Button>
          )}
          <Button loading={save.isPending} reason={announcement && !isChanged ? 'No has cambiado nada.' : null} onClick={submit}>
            Guardar
          </Button>
        </div>
      }
    >
      <div className="record-panel">
        {failure && (
          <Banner tone="danger" live>
            {failureOf(failure).message}
          </Banner>
        )}
        <TextField
          label="Título"
          maxLength={200}
          error={checked && !title.trim() ? EMPTY : null}
          value={title}
          onChange={(event) => setTitle(event.currentTarget.value)}
        />
        <Suspense fallback={<ListSkeleton rows={3} />}>
          <HtmlEditor
            label="Texto del aviso"
            start={before.content}
            error={checked && !content.trim() ? EMPTY : null}
            onChange={setContent}
          />
        </Suspense>
      </div>
      <ConfirmDialog
        open={asking === 'remove'}
        yes="Sí, eliminar"
        no="No, conservar"
        onClose={() => setAsking(null)}
        onConfirm={() => remove.mutateAsync().catch(() => undefined)}
      >
        ¿Quieres eliminar “{before.title}”?
      </ConfirmDialog>
      <ConfirmDialog
        open={asking === 'leave'}
        yes="Salir sin guardar"
        no="Seguir aquí"
        onClose={() => setAsking(null)}
        onConfirm={async () => onClose()}
      >
        Hay cambios sin guardar. ¿Quieres salir y perderlos?
      </ConfirmDialog>
    </Drawer>
  )
}
