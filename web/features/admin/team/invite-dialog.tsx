import { useState } from 'react'
import { ProvenDialog } from '#web/features/admin/frame/proven-dialog.tsx'
import { useProven } from '#web/features/admin/frame/use-proven.tsx'
import { useStoresMails } from '#web/features/admin/messages/mail-banner.tsx'
import { CopyButton } from '#web/features/site/copy-button.tsx'
import { api, useIdempotentMutation } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { emailProblem } from '#web/lib/form.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { TextField } from '#web/ui/field.tsx'
import { type MemberForm, MembershipFields } from './membership-fields.tsx'

interface InviteDialogProps {
  onDone: () => Promise<unknown>
  onClose: () => void
}

/** Invites a person to the team: an e-mail with a link that is valid for seven days, and the same link to be sent by hand. */
export function InviteDialog({ onDone, onClose }: InviteDialogProps) {
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  const [shown, setShown] = useState(false)
  const [form, setForm] = useState<MemberForm>({
    role: 'reception',
    rights_added: [],
    rights_removed: [],
    location_ids: null,
    instructor_id: null,
  })
  const [invited, setInvited] = useState<Awaited<ReturnType<typeof api.team.invite>> | null>(null)
  const { run, proof } = useProven()
  const invite = useIdempotentMutation(
    (input: Parameters<typeof api.team.invite>[0], { context }) =>
      run(async () => {
        setInvited(await api.team.invite(input, { context }))
        await onDone()
      }),
    { onSuccess: () => undefined, onError: () => undefined },
  )
  const wrong = {
    name: name.trim() ? null : 'Escribe su nombre.',
    email: emailProblem(email),
    locations: form.location_ids?.length === 0 ? 'Elige al menos un estudio, o todos.' : null,
  }
  const send = () => {
    setShown(true)
    if (wrong.name || wrong.email || wrong.locations) return
    const { role, rights_added, rights_removed, location_ids, instructor_id } = form
    invite.mutate({
      name: name.trim(),
      email: email.trim(),
      role,
      instructor_id,
      rights_added: [...rights_added],
      rights_removed: [...rights_removed],
      location_ids: location_ids && [...location_ids],
    })
  }
  const storesMails = useStoresMails()
  if (invited)
    return (
      <Dialog open onClose={onClose} title="Invitación enviada" actions={<Button onClick={onClose}>Listo</Button>}>
        <p>
          {storesMails
            ? `Los correos de tu estudio todavía no salen. Envía tú esta liga a ${name.trim()}, por ejemplo por WhatsApp; sirve 7 días:`
            : `Le llega un correo a ${email.trim()} con una liga que sirve 7 días. También puedes enviárselo tú, por ejemplo por WhatsApp:`}
        </p>
        <p className="team-link">
          <code className="ellipsis">{invited.invite_url}</code>
          <CopyButton text={invited.invite_url} what="la liga" />
        </p>
      </Dialog>
    )
  return (
    <ProvenDialog
      title="Invitar a tu equipo"
      verb="Enviar invitación"
      proof={proof}
      loading={invite.isPending}
      failed={invite.error && toFailure(invite.error).message}
      onSubmit={send}
      onClose={onClose}
    >
      <div className="field-pair team-person">
        <TextField
          label="Nombre"
          maxLength={120}
          autoComplete="off"
          error={shown ? wrong.name : null}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <TextField
          label="Correo"
          type="email"
          inputMode="email"
          maxLength={254}
          autoComplete="off"
          autoCapitalize="none"
          error={shown ? wrong.email : null}
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
      </div>
      <MembershipFields value={form} onChange={setForm} />
      {shown && wrong.locations && (
        <Banner tone="danger" live>
          {wrong.locations}
        </Banner>
      )}
      <p className="small muted">Si ya es cliente, conserva su cuenta y sus clases.</p>
    </ProvenDialog>
  )
}
