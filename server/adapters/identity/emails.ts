/**
 * The service's mails. A request only queues which mail is wanted; the code is created when the mail is sent, so no usable code is ever
 * stored in the queue.
 */
import { randomUUID } from 'node:crypto'
import * as z from 'zod'
import { ACTION_PATH, type ActionMode, IDENTITY_API_KEY } from '#contract/identity.ts'
import { LANGUAGES, languageFor } from '#contract/language.ts'
import { type EmailTemplate, renderEmail } from '#server/adapters/mail/email-template.ts'
import { MailRefused } from '#server/adapters/mail/port.ts'
import type { Tx } from '#server/platform/db.ts'
import { fingerprint, randomSecret, type Service } from './service.ts'
import { findAccount, findAccountByEmail, insertCode } from './store.ts'
import { CODE_KINDS, type CodeKind } from './tables.ts'

export const IDENTITY_EMAIL_JOB = 'identity-letter'

const wanted = z.object({
  kind: z.enum(CODE_KINDS),
  uid: z.string().optional(),
  email: z.string(),
  newEmail: z.string().optional(),
  continueUrl: z.string().nullish(),
  /** When the event behind the mail happened; a link to revert is valid from then, not from when the mail was sent. */
  at: z.string().optional(),
  /** The language that was chosen where it was requested. */
  language: z.enum(LANGUAGES).nullish(),
  message: z.string(),
})

/** Queues a mail in the transaction of its event. Without `uid` the account is looked up later by e-mail. */
export async function queueEmail(tx: Tx, mail: Omit<z.infer<typeof wanted>, 'message'>): Promise<void> {
  await tx.send({ name: IDENTITY_EMAIL_JOB, data: { ...mail, message: `identidad.${randomUUID()}` } satisfies z.infer<typeof wanted> })
}

const HOUR = 3_600_000
/** Validity of a link to choose a password. */
export const PASSWORD_LINK_MS = HOUR
const LIVES: Record<CodeKind, { milliseconds: number; text: string }> = {
  PASSWORD_RESET: { milliseconds: PASSWORD_LINK_MS, text: '1 hora' },
  VERIFY_EMAIL: { milliseconds: 72 * HOUR, text: '3 días' },
  VERIFY_AND_CHANGE_EMAIL: { milliseconds: 72 * HOUR, text: '3 días' },
  RECOVER_EMAIL: { milliseconds: 168 * HOUR, text: '7 días' },
  EMAIL_SIGNIN: { milliseconds: HOUR / 4, text: '15 minutos' },
}

const MODES: Record<CodeKind, ActionMode> = {
  PASSWORD_RESET: 'resetPassword',
  VERIFY_EMAIL: 'verifyEmail',
  VERIFY_AND_CHANGE_EMAIL: 'verifyAndChangeEmail',
  RECOVER_EMAIL: 'recoverEmail',
  EMAIL_SIGNIN: 'signIn',
}

/** Creates a code and its link. `milliseconds`: its validity, default that of its kind. */
export async function makeLink(
  service: Service,
  link: {
    kind: CodeKind
    uid: string | null
    email: string
    newEmail?: string | undefined
    continueUrl?: string | null | undefined
    milliseconds?: number
    /** When it was requested, if before now. */
    from?: Date
  },
): Promise<string> {
  const code = randomSecret(32)
  await service.db.tx((tx) => {
    const now = service.now()
    return insertCode(tx, {
      code_hash: fingerprint(code),
      kind: link.kind,
      uid: link.uid,
      email: link.email,
      new_email: link.newEmail ?? null,
      createdAt: link.from ?? now,
      expiresAt: new Date(now.getTime() + (link.milliseconds ?? LIVES[link.kind].milliseconds)),
    })
  })
  const query = new URLSearchParams({
    mode: MODES[link.kind],
    oobCode: code,
    apiKey: IDENTITY_API_KEY,
    ...(link.continueUrl ? { continueUrl: link.continueUrl } : {}),
    lang: 'es',
  })
  return `${service.publicUrl}${ACTION_PATH}?${query}`
}

/** Sends a queued mail. Retried after a failure with the same message id. */
export async function deliverEmail(service: Service, data: unknown): Promise<void> {
  const mail = wanted.parse(data)
  const { kind, email } = mail
  const account = mail.uid ? await findAccount(service.db.read, mail.uid) : await findAccountByEmail(service.db.read, email)
  // The account may have been deleted, locked or changed since; a sign-in link needs no account.
  if (account?.disabled || (!account && kind !== 'EMAIL_SIGNIN')) return
  if (account && account.email !== (kind === 'RECOVER_EMAIL' ? mail.newEmail : email)) return
  if (kind === 'VERIFY_AND_CHANGE_EMAIL' && (await findAccountByEmail(service.db.read, mail.newEmail ?? ''))) return

  const uid = kind === 'EMAIL_SIGNIN' ? null : (account?.uid ?? null)
  const url = await makeLink(service, { ...mail, uid, ...(mail.at ? { from: new Date(mail.at) } : {}) })
  const settings = service.settings()
  const written = renderEmail(
    settings,
    service.publicUrl,
    text(kind, { studio: settings.business_name, email, newEmail: mail.newEmail ?? '', url }),
    languageFor(mail.language, settings),
  )
  try {
    await service.mail.send({
      ...written,
      to: kind === 'VERIFY_AND_CHANGE_EMAIL' ? (mail.newEmail ?? '') : email,
      messageId: mail.message,
    })
  } catch (error) {
    // The mail can never be delivered: a retry would only occupy the queue.
    if (!(error instanceof MailRefused)) throw error
    service.log.warn({ kind, message: mail.message, reason: error.message }, 'identity.email_rejected')
  }
}

function text(
  kind: CodeKind,
  { studio, email, newEmail, url }: { studio: string; email: string; newEmail: string; url: string },
): EmailTemplate {
  const once = `El enlace sirve una sola vez y vence en ${LIVES[kind].text}.`
  switch (kind) {
    case 'PASSWORD_RESET':
      return {
        subject: `Elige tu contraseña de ${studio}`,
        preview: 'Usa el enlace para elegir una contraseña nueva.',
        title: 'Elige tu contraseña',
        paragraphs: [
          `Pediste una contraseña nueva para tu cuenta ${email}. Al elegirla se cierran las sesiones que tengas abiertas en otros dispositivos.`,
        ],
        action: { label: 'Elegir contraseña', url },
        notes: [once, 'Si no la pediste, ignora este correo: tu cuenta sigue igual.'],
      }
    case 'VERIFY_EMAIL':
      return {
        subject: `Confirma tu correo en ${studio}`,
        preview: 'Un toque y tu correo queda confirmado.',
        title: 'Confirma tu correo',
        paragraphs: [`Confirma que ${email} es tu correo para que te lleguen los avisos de tus clases.`],
        action: { label: 'Confirmar correo', url },
        notes: [once, 'Si no tienes una cuenta con nosotros, ignora este correo.'],
      }
    case 'VERIFY_AND_CHANGE_EMAIL':
      return {
        subject: `Confirma tu nuevo correo en ${studio}`,
        preview: 'Confirma el cambio para entrar con este correo.',
        title: 'Confirma tu nuevo correo',
        paragraphs: [
          `Pediste que tu cuenta ${email} use este correo: ${newEmail}. Cuando lo confirmes, entra con él y con la contraseña de siempre.`,
        ],
        action: { label: 'Confirmar cambio', url },
        notes: [once, 'Si no lo pediste, ignora este correo: la cuenta sigue igual.'],
      }
    case 'RECOVER_EMAIL':
      return {
        subject: `Cambió el correo de tu cuenta en ${studio}`,
        preview: 'Si no fuiste tú, recupera tu cuenta.',
        title: 'Cambió el correo de tu cuenta',
        paragraphs: [`El correo de tu cuenta dejó de ser ${email} y ahora es ${newEmail}. Si tú lo cambiaste, no tienes que hacer nada.`],
        action: { label: 'No fui yo, recuperar mi cuenta', url },
        notes: [once, `Al usarlo, tu cuenta vuelve a ${email}, se cierran todas las sesiones y eliges otra contraseña.`],
      }
    case 'EMAIL_SIGNIN':
      return {
        subject: `Entra a ${studio}`,
        preview: 'Tu enlace para entrar sin contraseña.',
        title: 'Entra con un toque',
        paragraphs: [`Usa este enlace para entrar a ${studio} como ${email}.`],
        action: { label: 'Entrar', url },
        notes: [once, 'Si no lo pediste, ignora este correo: nadie puede entrar sin él.'],
      }
  }
}
