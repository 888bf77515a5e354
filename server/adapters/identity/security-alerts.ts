/** Mails about changes to the second factor of an account (P17). They contain no code: their button leads to the account's own page. */

import { randomUUID } from 'node:crypto'
import * as z from 'zod'
import { paths } from '#contract/paths.ts'
import { type EmailTemplate, renderEmail } from '#server/adapters/mail/email-template.ts'
import { MailRefused } from '#server/adapters/mail/port.ts'
import type { Tx } from '#server/platform/db.ts'
import type { Service } from './service.ts'

export const SECURITY_ALERT_JOB = 'identity-security-alert'

/** Where staff keep their second factor (web/lib/paths.ts). */

const alert = z.object({
  kind: z.enum(['added', 'removed', 'reset', 'recovery-code']),
  /** The account's address at the time: an intruder who changed it since must not prevent the mail from being read. */
  email: z.string(),
  /** Unused recovery codes that remain. */
  left: z.int().optional(),
  message: z.string(),
})
type Alert = z.infer<typeof alert>

/** Queues the mail in the transaction of the change. */
export async function queueSecurityAlert(tx: Tx, about: Omit<Alert, 'message'>): Promise<void> {
  await tx.send({ name: SECURITY_ALERT_JOB, data: { ...about, message: `seguridad.${randomUUID()}` } satisfies Alert })
}

/** Sends a queued alert. Retried after a failure with the same message id. */
export async function deliverSecurityAlert(service: Service, data: unknown): Promise<void> {
  const about = alert.parse(data)
  const settings = service.settings()
  const template = alertEmail(about, settings.business_name, `${service.publicUrl}${paths.security}`)
  try {
    await service.mail.send({ ...renderEmail(settings, service.publicUrl, template), to: about.email, messageId: about.message })
  } catch (error) {
    if (!(error instanceof MailRefused)) throw error
    service.log.warn({ kind: about.kind, message: about.message, reason: error.message }, 'identity.security_alert_refused')
  }
}

const NOT_ME = 'Si no fuiste tú, elige otra contraseña ahora mismo con «¿Olvidaste tu contraseña?» y avisa al estudio.'

function alertEmail({ kind, email, left = 0 }: Alert, studio: string, url: string): EmailTemplate {
  const action = { label: 'Revisar mi seguridad', url }
  switch (kind) {
    case 'added':
      return {
        subject: `Activaste la verificación en dos pasos en ${studio}`,
        preview: 'Desde ahora tu cuenta pide un código de tu app.',
        title: 'Verificación en dos pasos activada',
        paragraphs: [
          `Tu cuenta ${email} ya pide un código de tu app de autenticación al entrar. Se cerraron las sesiones que tenías abiertas en otros dispositivos.`,
          'Guarda tus códigos de recuperación en un lugar seguro: son tu entrada si pierdes el teléfono.',
        ],
        action,
        notes: [NOT_ME],
      }
    case 'removed':
      return {
        subject: `Se desactivó la verificación en dos pasos en ${studio}`,
        preview: 'Tu cuenta ya no pide un código al entrar.',
        title: 'Verificación en dos pasos desactivada',
        paragraphs: [
          `Tu cuenta ${email} ya no pide un código al entrar, y tus códigos de recuperación dejaron de servir. Se cerraron las sesiones que tenías abiertas en otros dispositivos.`,
        ],
        action,
        notes: [NOT_ME],
      }
    case 'reset':
      return {
        subject: `El estudio restableció tu verificación en dos pasos en ${studio}`,
        preview: 'Entra con tu contraseña y actívala de nuevo.',
        title: 'Verificación en dos pasos restablecida',
        paragraphs: [
          `A petición tuya, el estudio quitó la verificación en dos pasos de tu cuenta ${email} y cerró todas tus sesiones. Tus códigos de recuperación dejaron de servir.`,
          'Entra con tu contraseña y actívala de nuevo con tu app.',
        ],
        action,
        notes: ['Si no lo pediste, elige otra contraseña ahora mismo con «¿Olvidaste tu contraseña?» y avisa al estudio.'],
      }
    case 'recovery-code':
      return {
        subject: `Se usó un código de recuperación en ${studio}`,
        preview: 'Alguien entró a tu cuenta con uno de tus códigos.',
        title: 'Entraste con un código de recuperación',
        paragraphs: [
          `Se usó un código de recuperación para entrar a tu cuenta ${email}. Ya no sirve otra vez. ${
            left === 0 ? 'Era el último: crea códigos nuevos.' : left === 1 ? 'Te queda 1.' : `Te quedan ${left}.`
          }`,
        ],
        action,
        notes: [NOT_ME],
      }
  }
}
