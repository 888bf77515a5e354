/** The tones of the states of messages. */
import type { LoggedMessage } from '#contract/notifications.ts'
import type { BadgeTone } from '#web/ui/badge.tsx'

export const MESSAGE_TONES: Readonly<Record<LoggedMessage['status'], BadgeTone>> = {
  waiting: 'warn',
  sending: 'warn',
  sent: 'ok',
  delivered: 'ok',
  read: 'ok',
  failed: 'danger',
  unknown: 'outline',
  moot: 'outline',
}
