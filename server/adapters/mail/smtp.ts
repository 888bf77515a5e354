/** Mail through the studio's SMTP server. nodemailer costs 25 MB and 0.1 s to import, so it is loaded with the first mail. */
import { BlockList, isIP } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Transporter } from 'nodemailer'
import type SMTPPool from 'nodemailer/lib/smtp-pool/index.js'
import { assertNotInTransaction } from '#server/platform/db.ts'
import { checkMail, type MailPort, MailRefused } from './port.ts'

export interface SmtpOptions {
  /** `smtp://user:password@host:587` or `smtps://...:465`. */
  url: string
  /** The sender, read for each mail because the studio's name is a setting. */
  from: () => { name: string; address: string }
  /** The Reply-To address, when the studio has one. */
  replyTo?: () => string | undefined
  /** Time limit of one mail in all, in milliseconds. */
  sendMs?: number
}

/**
 * Time limit of one mail in all: less than its job's (server/adapters/queues.ts). The library's own limits apply to each step, so a slow
 * server that keeps responding could block a worker for ever.
 */
const SEND_MS = 50_000

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8)
loopback.addAddress('::1', 'ipv6')

function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '')
  const version = isIP(bare)
  return version ? loopback.check(bare, version === 4 ? 'ipv4' : 'ipv6') : bare === 'localhost'
}

/** The server's reply code; undefined when the network failed, not the server. */
function replyCode(error: unknown): number | undefined {
  return error instanceof Error && 'responseCode' in error && typeof error.responseCode === 'number' ? error.responseCode : undefined
}

async function tooLong(ms: number, host: string): Promise<never> {
  await sleep(ms, undefined, { ref: false })
  throw new Error(`${host} took longer than ${ms / 1000} s for one mail.`)
}

export function smtpMail(options: SmtpOptions): MailPort {
  const { hostname, host } = new URL(options.url)
  let opened: Promise<Transporter<SMTPPool.SentMessageInfo>> | undefined
  const open = () => {
    opened ??= import('nodemailer').then(({ createTransport }) =>
      createTransport({
        url: options.url,
        pool: true,
        // As many as there are workers, so that none waits for a connection while its time limit runs.
        maxConnections: 3,
        dnsTimeout: 10_000,
        connectionTimeout: 10_000,
        greetingTimeout: 10_000,
        socketTimeout: 30_000,
        // A password or sign-in link must never be sent unencrypted over a network.
        requireTLS: !isLoopback(hostname),
        disableFileAccess: true,
        disableUrlAccess: true,
      }),
    )
    return opened
  }

  return {
    async send(mail) {
      assertNotInTransaction('The mail port')
      checkMail(mail)
      const transport = await open()
      const from = options.from()
      const replyTo = options.replyTo?.()
      const domain = from.address.split('@')[1] ?? 'localhost'
      try {
        const sending = transport.sendMail({
          from,
          to: { name: '', address: mail.to },
          ...(replyTo ? { replyTo } : {}),
          subject: mail.subject,
          html: mail.html,
          text: mail.text,
          messageId: `<${mail.messageId}@${domain}>`,
          ...(mail.attachments
            ? {
                attachments: mail.attachments.map(({ filename, type, content }) => ({
                  filename,
                  contentType: type,
                  content: Buffer.from(content),
                })),
              }
            : {}),
          headers: {
            'Auto-Submitted': 'auto-generated',
            'Content-Language': 'es-MX',
            ...(mail.unsubscribeUrl
              ? { 'List-Unsubscribe': `<${mail.unsubscribeUrl}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
              : {}),
          },
        })
        await Promise.race([sending, tooLong(options.sendMs ?? SEND_MS, host)])
      } catch (error) {
        const code = replyCode(error)
        // 5yz after MAIL, RCPT or DATA concerns this mail; 53x concerns our own log-in, which may be repaired.
        if (code !== undefined && code >= 500 && (code < 530 || code > 539))
          throw new MailRefused(`${host} answered ${code}.`, { cause: error })
        throw error
      }
    },
    jobs: () => [],
    async close() {
      if (opened) (await opened).close()
    },
  }
}
