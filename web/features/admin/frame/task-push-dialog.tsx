import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { type PushState, readPushState, switchPushOn } from '#web/lib/push.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Switch } from '#web/ui/choice.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

const KEY = ['task-push']

const WHY_NOT: Readonly<Partial<Record<PushState, string>>> = {
  blocked: 'Bloqueaste las notificaciones en tu navegador: permítelas en sus ajustes para este sitio.',
  install: 'En iPhone y iPad: toca Compartir, “Agregar a inicio”, y actívalas desde ahí.',
  missing: 'Este navegador no recibe notificaciones.',
}

async function read() {
  const [device, { enabled }] = await Promise.all([readPushState(), api.today.push()])
  return { device, enabled }
}

/** Whether the person gets new tasks on their devices, and on this one (docs/domain.md N12). */
export default function TaskPushDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient()
  const query = useQuery({ queryKey: KEY, queryFn: read, meta: { handled: true } })
  const save = useMutation({
    meta: { handled: true },
    async mutationFn(on: boolean) {
      // The device first: browsers show their prompt only during the tap.
      const device = on ? await switchPushOn() : await readPushState()
      const enabled = on && device === 'on'
      await api.today.setPush({ enabled })
      return { device, enabled }
    },
    onSuccess: (now) => client.setQueryData(KEY, now),
  })
  const now = query.data
  const isOn = now?.enabled === true && now.device === 'on'
  const failure = save.error ?? query.error
  const why = now && WHY_NOT[now.device]
  return (
    <Dialog
      open
      onClose={onClose}
      title="Avisarme de pendientes"
      actions={
        <Button variant="outline" onClick={onClose}>
          Cerrar
        </Button>
      }
    >
      {query.isPending ? (
        <Skeleton height="72px" />
      ) : (
        now && (
          <Switch
            checked={save.isPending ? save.variables : isOn}
            disabled={save.isPending || (!isOn && why !== undefined)}
            onChange={(event) => save.mutate(event.currentTarget.checked)}
            hint="Lo nuevo de “Por atender” que tú puedes ver, de los estudios en los que trabajas."
          >
            Notificaciones en este dispositivo
          </Switch>
        )
      )}
      {why && <p className="small muted">{why}</p>}
      {now?.enabled && now.device === 'off' && <p className="small muted">Ya te avisamos en otro dispositivo.</p>}
      <p className="small muted">De noche esperan a la mañana. Terminan cuando sales de tu cuenta.</p>
      {failure && (
        <Banner tone="danger" live>
          {toFailure(failure).message}
        </Banner>
      )}
    </Dialog>
  )
}
