/** The port for sending mail: one mail to one person. Called after a commit, from a job that can run again. */
import type { JobHandler } from '#server/platform/job-types.ts'

export interface Attachment {
  filename: string
  type: string
  content: Uint8Array
}

export interface Mail {
  /** One address, ASCII, already validated where it was entered. */
  to: string
  subject: string
  html: string
  text: string
  /** Attached files. */
  attachments?: Attachment[]
  /** The one-click address to unsubscribe (RFC 8058); promotions only. */
  unsubscribeUrl?: string
  /** Chosen by the sender and the same for every retry, so that a mail sent twice is recognised. Letters, digits, dot, dash. */
  messageId: string
}

/** A mail stored in the studio. */
interface StoredMail {
  mail_id: number
  to: string
  subject: string
  text: string
  /** Names of the attached files. */
  files: string[]
  createdAt: Date
}

export interface MailPort {
  /**
   * Sends a mail; resolves once the server (or the outbox) has accepted it. Throws `MailRefused` when it never will, any other error when a
   * retry makes sense. Refuses to work inside a transaction.
   */
  send(mail: Mail): Promise<void>
  /** Mails stored instead of sent, newest first; pages count from 1. Absent where mails are sent. */
  listStored?(page: { number: number; size: number }): Promise<{ mails: StoredMail[]; total: number }>
  /** Jobs that delete old mails. */
  jobs(): JobHandler[]
  close(): Promise<void>
}

/** The mail can never be delivered: the address does not exist, or the server refuses the content. Do not retry. */
export class MailRefused extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options)
    this.name = 'MailRefused'
  }
}

const ID = /^[A-Za-z0-9.-]{1,200}$/
const FILENAME = /^[A-Za-z0-9._-]{1,100}$/
const ADDRESS = /^[!-?A-~]{1,64}@[A-Za-z0-9.-]{1,255}$/

/** Throws unless a mail is one mail to one recipient: protects every implementation against header injection. */
export function checkMail(mail: Mail): void {
  if (!ID.test(mail.messageId)) throw new MailRefused('The message id has characters that mail does not carry.')
  if (!ADDRESS.test(mail.to) || /[\s,;<>()"]/.test(mail.to)) throw new MailRefused('The address is not one address.')
  if (mail.attachments?.some(({ filename }) => !FILENAME.test(filename)))
    throw new MailRefused('A file has a name that mail does not carry.')
  if (mail.unsubscribeUrl !== undefined && !/^https?:\/\/[!-;=?-~]+$/.test(mail.unsubscribeUrl))
    throw new MailRefused('The address that stops such mails is not one.')
  if (/[\r\n]/.test(mail.subject)) throw new MailRefused('The subject has more than one line.')
}
