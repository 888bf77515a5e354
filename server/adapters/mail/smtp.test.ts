import { type AddressInfo, createServer } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { defaultSettings } from '#contract/settings.ts'
import { openDb } from '#server/platform/db.ts'
import { type LoopbackSmtp, loopbackSmtp, readMessage } from '#server/testing/loopback-smtp.ts'
import { freshDatabase } from '#server/testing/postgres.ts'
import { chooseMail, readFrom } from './choose.ts'
import { MailRefused } from './port.ts'
import { smtpMail } from './smtp.ts'
import { mailSuite } from './suite.ts'

const from = () => ({ name: 'Vaivén Pilates', address: 'hola@vaiven.mx' })

const database = async () => openDb({ connection: await freshDatabase() })

mailSuite('smtp', database, async () => {
  const server = await loopbackSmtp()
  return {
    port: smtpMail({ url: `smtp://127.0.0.1:${server.port}`, from }),
    arrived: async () =>
      server.received.map(({ to, raw }) => {
        const { header, text, html } = readMessage(raw)
        const messageId = header('message-id').replace(/^<|@vaiven\.mx>$/g, '')
        return { to: to.join(), subject: header('subject'), html, text, messageId }
      }),
    close: () => server.close(),
  }
})

let server: LoopbackSmtp
beforeAll(async () => {
  server = await loopbackSmtp({ password: 'clave del correo' })
})
afterAll(() => server.close())
const url = (password = 'clave%20del%20correo') => `smtp://estudio:${password}@127.0.0.1:${server.port}`
const mail = (to: string) => ({ to, subject: 'Hola', html: '<p>Hola</p>', text: 'Hola', messageId: 'prueba.1' })

test('the headers name the studio, mark the email as automatic, and set Reply-To', async () => {
  const port = smtpMail({ url: url(), from, replyTo: () => 'recepcion@vaiven.mx' })
  await port.send(mail('ana@ejemplo.mx'))
  await port.close()
  const { header } = readMessage(server.received.at(-1)?.raw ?? '')
  expect(header('from')).toBe('Vaivén Pilates <hola@vaiven.mx>')
  expect(header('to')).toBe('ana@ejemplo.mx')
  expect(header('reply-to')).toBe('recepcion@vaiven.mx')
  expect(header('message-id')).toBe('<prueba.1@vaiven.mx>')
  expect(header('auto-submitted')).toBe('auto-generated')
  expect(server.received.at(-1)?.from).toBe('hola@vaiven.mx')
})

test('distinguishes permanent from temporary failures', async () => {
  const port = smtpMail({ url: url(), from })
  await expect(port.send(mail('nadie@ejemplo.mx'))).rejects.toBeInstanceOf(MailRefused)
  await expect(port.send(mail('no-content@ejemplo.mx'))).rejects.toBeInstanceOf(MailRefused)
  const full = await port.send(mail('lleno@ejemplo.mx')).catch((error: unknown) => error)
  expect(full).toBeInstanceOf(Error)
  expect(full).not.toBeInstanceOf(MailRefused)
  // After a refusal the connection still works.
  await port.send(mail('ana@ejemplo.mx'))
  await port.close()

  const locked = smtpMail({ url: url('otra'), from })
  const wrongLogin = await locked.send(mail('ana@ejemplo.mx')).catch((error: unknown) => error)
  expect(wrongLogin).toBeInstanceOf(Error)
  expect(wrongLogin).not.toBeInstanceOf(MailRefused)
  await locked.close()

  const unreachable = smtpMail({ url: 'smtp://127.0.0.1:9', from })
  const silent = await unreachable.send(mail('ana@ejemplo.mx')).catch((error: unknown) => error)
  expect(silent).toBeInstanceOf(Error)
  expect(silent).not.toBeInstanceOf(MailRefused)
  await unreachable.close()
})

test('sends nothing without TLS to other machines, above all no credentials', async () => {
  const before = server.commands.length
  // The same server by a name that is not loopback on its face; it offers no STARTTLS.
  const port = smtpMail({ url: `smtp://estudio:clave@localhost.localdomain:${server.port}`, from })
  await expect(port.send(mail('ana@ejemplo.mx'))).rejects.toThrow()
  await port.close()
  expect(server.commands.slice(before).filter((command) => /^(AUTH|MAIL)/i.test(command))).toEqual([])
})

test('uses SMTP when configured, otherwise the outbox; the sender is MAIL_FROM with the studio’s name', async () => {
  const db = await database()
  const deps = {
    db,
    settings: () => ({ ...defaultSettings, business_name: 'Fragua', email: 'hola@fragua.mx' }),
    publicUrl: 'https://reservas.fragua.mx',
    now: () => new Date(),
  }
  const port = chooseMail({ SMTP_URL: url(), MAIL_FROM: 'avisos@fragua.mx' }, deps)
  await port.send(mail('ana@ejemplo.mx'))
  await port.close()
  const { header } = readMessage(server.received.at(-1)?.raw ?? '')
  expect([header('from'), header('reply-to')]).toEqual(['Fragua <avisos@fragua.mx>', 'hola@fragua.mx'])

  await chooseMail({}, deps).send(mail('ana@ejemplo.mx'))
  expect((await db.pool.query('select "to" from mail_outbox')).rows).toEqual([{ to: 'ana@ejemplo.mx' }])
  await db.close()
})

test.each([
  [undefined, { name: undefined, address: 'no-responder@estudio.mx' }],
  ['avisos@estudio.mx', { name: undefined, address: 'avisos@estudio.mx' }],
  ['Estudio Norte <avisos@estudio.mx>', { name: 'Estudio Norte', address: 'avisos@estudio.mx' }],
  ['"Estudio, Norte" <avisos@estudio.mx>', { name: 'Estudio, Norte', address: 'avisos@estudio.mx' }],
  ['<avisos@estudio.mx>', { name: undefined, address: 'avisos@estudio.mx' }],
])('MAIL_FROM %j', (text, sender) => {
  expect(readFrom(text, 'https://estudio.mx')).toEqual(sender)
})

test('gives up on a server that keeps responding and never accepts the email', async () => {
  const talking = createServer((socket) => {
    // A greeting of many lines that never ends: each of them is a sign of life.
    const line = setInterval(() => socket.write('220-un momento\r\n'), 20)
    socket.on('error', () => {}).on('close', () => clearInterval(line))
  })
  await new Promise<void>((done) => talking.listen(0, '127.0.0.1', done))
  const { port: at } = talking.address() as AddressInfo
  const port = smtpMail({ url: `smtp://127.0.0.1:${at}`, from, sendMs: 300 })
  await expect(port.send(mail('ana@ejemplo.mx'))).rejects.toThrow('took longer than 0.3 s')
  await port.close()
  talking.close()
})
