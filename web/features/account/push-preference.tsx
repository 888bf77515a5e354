import { IconDeviceMobileMessage } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { toFailure } from '#web/lib/errors.ts'
import { type PushState, readPushState, switchPushOff, switchPushOn } from '#web/lib/push.ts'
import { Switch } from '#web/ui/choice.tsx'

const KEY = ['push', 'this-device']

const ABOUT: Record<PushState, string> = {
  on: 'Este dispositivo las recibe.',
  off: 'Se activa en cada dispositivo.',
  blocked: 'Las bloqueaste en tu navegador: permítelas en sus ajustes para este sitio.',
  install: 'En iPhone y iPad: toca Compartir, “Agregar a inicio”, y actívalas desde ahí.',
  missing: 'Este navegador no las recibe.',
}

/** Whether this device gets notifications (docs/domain.md M14). */
export default function PushPreference() {
  const client = useQueryClient()
  const { data: state } = useQuery({ queryKey: KEY, queryFn: readPushState, meta: { handled: true } })
  const save = useMutation({
    meta: { handled: true },
    mutationFn: (on: boolean) => (on ? switchPushOn() : switchPushOff()),
    onSuccess: (now) => client.setQueryData(KEY, now),
  })
  const isOn = save.isPending ? save.variables : state === 'on'
  return (
    <div className="preference">
      <IconDeviceMobileMessage className="icon" aria-hidden="true" />
      <div className="grow stack gap-4">
        <Switch
          checked={isOn}
          disabled={save.isPending || (state !== 'on' && state !== 'off')}
          onChange={(event) => save.mutate(event.currentTarget.checked)}
          hint="Lugares que se liberan, cambios y recordatorios, en la pantalla."
        >
          Notificaciones en este dispositivo
        </Switch>
        <p className="small muted" role={save.isError ? 'alert' : undefined}>
          {save.isError ? toFailure(save.error).message : ABOUT[state ?? 'off']}
        </p>
      </div>
    </div>
  )
}
