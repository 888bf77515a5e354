/** Broadcasts in words. */
import type { Automation } from '#contract/automations.ts'
import type { Broadcast, BroadcastButton, BroadcastState, LeftOutReason } from '#contract/broadcasts.ts'
import type { BroadcastChannel } from '#contract/channels.ts'
import type { BadgeTone } from '#web/ui/badge.tsx'

export const BROADCAST_STATE_NAMES: Readonly<Record<BroadcastState, { label: string; tone: BadgeTone }>> = {
  scheduled: { label: 'Programado', tone: 'warn' },
  sending: { label: 'Enviándose', tone: 'brand' },
  paused: { label: 'En pausa', tone: 'warn' },
  cancelled: { label: 'Cancelado', tone: 'outline' },
  sent: { label: 'Enviado', tone: 'ok' },
}

/** The buttons that send a message to the person who writes it. */
export const TEST_LABELS: Readonly<Record<BroadcastChannel, string>> = {
  mail: 'Prueba por correo',
  whatsapp: 'Prueba por WhatsApp',
  app: 'Prueba en mi cuenta',
}

export const LEFT_OUT_TEXTS: Readonly<Record<LeftOutReason, string>> = {
  no_consent: 'No ha aceptado promociones por los medios elegidos',
  no_address: 'No sabemos su correo o teléfono, o no tiene cuenta',
  limit: 'Ya recibió las promociones de esta semana',
  gone: 'Ya no es cliente',
}

export const BROADCAST_BUTTON_NAMES: Readonly<Record<BroadcastButton, string>> = {
  none: 'Ninguno',
  calendar: 'Reservar (al calendario)',
  packages: 'Ver paquetes',
}

const plural = (n: number, singular: string, many: string) => `${n.toLocaleString('es-MX')} ${n === 1 ? singular : many}`

export const peopleCount = (n: number): string => plural(n, 'persona', 'personas')

/** "312 mensajes enviados · 4 fallaron · 2 personas dejaron las promociones" */
export const broadcastFigures = ({ state, total, sent, failed, waiting, left_out, unsubscribed }: Broadcast): string =>
  [
    total !== null && (state === 'scheduled' || state === 'sending' || state === 'paused') && `Para ${peopleCount(total)}`,
    sent > 0 && plural(sent, 'mensaje enviado', 'mensajes enviados'),
    waiting > 0 && plural(waiting, 'por salir', 'por salir'),
    failed > 0 && plural(failed, 'falló', 'fallaron'),
    left_out > 0 && `a ${peopleCount(left_out)} no les llegó`,
    unsubscribed > 0 && `${plural(unsubscribed, 'persona dejó', 'personas dejaron')} las promociones`,
  ]
    .filter(Boolean)
    .join(' · ')

/** "Se ha mandado 12 veces; 3 veces alguien se quedó sin él. La última, mié 25 nov." `last`: when it was last sent, in words. */
export const automationFigures = ({ reached, left_out }: Automation, last: string | null): string =>
  last === null
    ? 'Todavía no se ha mandado a nadie.'
    : [
        `Se ha mandado ${plural(reached, 'vez', 'veces')}`,
        left_out > 0 && `; ${plural(left_out, 'vez', 'veces')} alguien se quedó sin él`,
        `. La última, ${last}.`,
      ]
        .filter(Boolean)
        .join('')

/** Whether its state still changes without an action. */
export const isUnderway = ({ state, waiting }: Pick<Broadcast, 'state' | 'waiting'>): boolean =>
  state === 'scheduled' || state === 'sending' || (state === 'sent' && waiting > 0)

/** What a message to many can say of each of them. */
export const BROADCAST_VARIABLES = [
  { key: 'nombre', label: 'Nombre' },
  { key: 'negocio', label: 'Tu estudio' },
]
