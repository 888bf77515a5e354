/** The texts of automatic messages (M11 to M13), through an SMTP server and a fake of Meta's API. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type LoopbackSmtp, loopbackSmtp, readMessage } from '#server/testing/loopback-smtp.ts'
import { type LoopbackWhatsApp, loopbackWhatsApp } from '#server/testing/loopback-whatsapp.ts'
import { type Person, refusalOf, START, studio, type TestStudio } from '#server/testing/studio.ts'
import { doJobs, sweepMessages } from '#server/testing/work.ts'
import { enqueueMessages } from './messages.ts'

let s: TestStudio
let meta: LoopbackWhatsApp
let post: LoopbackSmtp
let owner: Person
beforeAll(async () => {
  ;[meta, post] = [await loopbackWhatsApp({ token: 'una-clave', phoneId: '1065', businessId: '77' }), await loopbackSmtp()]
  s = await studio({
    settings: { business_name: 'Vaivén' },
    env: {
      WHATSAPP_TOKEN: 'una-clave',
      WHATSAPP_PHONE_ID: '1065',
      WHATSAPP_BUSINESS_ID: '77',
      WHATSAPP_API_BASE: meta.url,
      SMTP_URL: `smtp://127.0.0.1:${post.port}`,
      MAIL_FROM: 'hola@vaiven.mx',
    },
  })
  owner = await s.make.staff('owner', { name: 'Mónica' })
})
afterAll(async () => {
  await s.close()
  await meta.close()
  await post.close()
})
beforeEach(async () => {
  s.clock.set(START)
  await s.sql('delete from message_template')
  await s.sql('update whatsapp_template set "retiredAt" = now() where is_own')
})

const staff = () => s.as(owner).messageTemplates
let n = 0
async function ana(name = 'Ana') {
  const customer = await s.make.customer({ name, phone: `55482${String(10_000 + n++)}` })
  await s.as(customer).messages.setPreferences({ whatsapp: true })
  return customer
}
async function remind(person: Person, more: { lines?: string[]; type?: string } = {}) {
  const ctx = s.system()
  await ctx.tx((tx) =>
    enqueueMessages(tx, ctx, [
      {
        event: 'reservation_reminder',
        about: `test-reminder:${person.customer_id}:${n++}`,
        to: { customer_id: person.customer_id },
        before: null,
        texts: (name) => ({
          title: 'Te esperamos',
          lines: more.lines ?? ['Reformer, vie 20 nov, 10:00.', 'Tu lugar: 7.'],
          notes: ['Puedes cancelar.'],
          action: { label: 'Ver mis reservaciones', path: '/mystudio/reservaciones' },
          blanks: [name, more.type ?? 'Reformer', 'vie 20 nov, 10:00', 'Roma Norte'],
        }),
      },
    ]),
  )
  await sendAll()
}
/** Sends what waits, without asking whether the invented reservation exists. */
const sendAll = () => sweepMessages(s.system(), {})
const mailTo = (person: Person) => {
  const { raw } = post.received.findLast(({ to }) => to[0] === person.email) ?? { raw: '' }
  return { subject: readMessage(raw).header('subject'), text: readMessage(raw).text }
}
const rungLast = () => meta.delivered.at(-1)
const approve = async (status: 'APPROVED' | 'REJECTED' = 'APPROVED') => {
  const last = meta.templates.at(-1)
  if (last) Object.assign(last, { status, rejected_reason: status === 'REJECTED' ? 'INVALID_FORMAT' : 'NONE' })
  await doJobs(s, 'messages.templates-sync')
}
const whatsapp = { event: 'reservation_reminder', channel: 'whatsapp' } as const
const mail = { event: 'reservation_reminder', channel: 'mail' } as const

describe('own texts', () => {
  test('the list says when each message is sent, by the settings of now (M11)', async () => {
    const whenOf = async (event: string) => (await staff().all()).templates.find((template) => template.event === event)?.when
    expect(await whenOf('reservation_reminder')).toBe('12 horas antes de la clase')
    await s.having({ reminder_hours: 3 }, async () => expect(await whenOf('reservation_reminder')).toBe('3 horas antes de la clase'))
    expect(await whenOf('class_cancelled')).toBe('Cuando el estudio cancela una clase')
  })

  test('the email that is sent has the studio’s subject and text; an emptied text restores the default (M11)', async () => {
    const person = await ana()
    const { template } = await staff().change({
      ...mail,
      subject: '{{nombre}}, nos vemos en {{clase}}',
      text: 'Qué tal, {{ nombre }}:\n\n{{detalles}}\n\nTrae calcetines. {{negocio}}',
    })
    expect(template).toMatchObject({ is_own: true, enabled: true, updated_by: 'Mónica' })
    await remind(person)
    const sent = mailTo(person)
    expect(sent.subject).toBe('Ana, nos vemos en Reformer')
    for (const line of ['Qué tal, Ana:', 'Reformer, vie 20 nov, 10:00.', 'Tu lugar: 7.', 'Trae calcetines. Vaivén', 'Puedes cancelar.'])
      expect(sent.text).toContain(line)
    expect(sent.text).not.toContain('Hola, Ana.')
    expect(sent.text).toContain('/mystudio/reservaciones')
    const restored = await staff().change({ ...mail, subject: '', text: '  ' })
    expect(restored.template).toMatchObject({ is_own: false, text: 'Hola, {{nombre}}.\n\n{{detalles}}' })
    await remind(person)
    expect(mailTo(person).subject).toBe('Te esperamos')
    expect(mailTo(person).text).toContain('Hola, Ana.')
  })

  test('refuses a variable that the message does not have, and braces that do not close (M11)', async () => {
    const issues = async (text: string, channel: 'mail' | 'whatsapp' = 'mail') =>
      ((await refusalOf(staff().change({ event: 'penalty', channel, text }))) as { data?: { issues?: unknown } }).data?.issues
    expect(await issues('Hola, {{nombre}}: {{password}}')).toMatchObject([
      { path: 'text', message: '“{{password}}” no es un dato de este mensaje.' },
    ])
    expect(await issues('{{clase}}')).toHaveLength(1)
    expect(await issues('Hola, {{nombre')).toMatchObject([{ message: 'Hay llaves {{ }} sin cerrar.' }])
    expect(await issues('{{constructor}}')).toHaveLength(1)
    expect(await issues('Hola, {{nombre}} {{motivo}} de siempre y con más palabras.', 'whatsapp')).toMatchObject([
      { message: 'WhatsApp no acepta dos datos seguidos: pon palabras en medio.' },
    ])
    expect(await issues('Hola, amiga del estudio {{nombre}}', 'whatsapp')).toHaveLength(1)
    expect(await s.sql('select 1 from message_template')).toEqual([])
  })

  test('a text and a value are escaped in the email, and a value that looks like a variable stays text (M11)', async () => {
    const person = await ana('{{clase}}<img src=x onerror=alert(1)>')
    await staff().change({ ...mail, subject: 'Hola {{nombre}}', text: '<script>alert(1)</script> {{nombre}}' })
    await remind(person)
    const { raw } = post.received.at(-1) ?? { raw: '' }
    const { html, text } = readMessage(raw)
    expect(html).not.toMatch(/<script|<img src=x/)
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt; {{clase}}&lt;img src=x')
    expect(text).toContain('<script>alert(1)</script> {{clase}}<img src=x onerror=alert(1)>')
    expect(mailTo(person).subject).not.toContain('\n')
  })

  test('one channel has its text, the others keep theirs; the log shows it as sent, and sending again repeats it', async () => {
    const person = await ana()
    await staff().change({ event: 'reservation_reminder', channel: 'app', subject: 'Mañana: {{clase}}', text: 'Te vemos en {{estudio}}.' })
    await remind(person)
    const { messages } = await s.as(person).messages.list({})
    expect(messages[0]).toMatchObject({ title: 'Mañana: Reformer', lines: ['Te vemos en Roma Norte.'] })
    expect(mailTo(person).text).toContain('Hola, Ana.')
    await staff().change({ ...mail, text: 'Corto, {{nombre}}.' })
    await remind(person)
    const log = (await s.as(owner).messages.log({ customer_id: person.customer_id, channel: 'mail' })).messages
    expect(log[0]?.text).toBe('Corto, Ana.')
    await s.as(owner).messages.resend({ message_id: log[0]?.message_id ?? 0 })
    await sendAll()
    expect(mailTo(person).text).toContain('Corto, Ana.')
  })

  test('messages to staff keep their own words', async () => {
    const ctx = s.system()
    await staff().change({ event: 'class_changed', channel: 'mail', text: 'Para clientes: {{nombre}}' })
    const coach = await s.make.staff('coach', { name: 'Renata' })
    const [row] = await s.sql<{ staff_id: number }>('select staff_id from staff where email = $1', [coach.email])
    const texts = (name: string) => ({ title: 'Suplencia', lines: ['¿Puedes?'], notes: [], action: null, blanks: [name, 'a', 'b', 'c'] })
    await ctx.tx((tx) =>
      enqueueMessages(tx, ctx, [{ event: 'class_changed', about: 'sub:1', to: { staff_id: row?.staff_id ?? 0 }, before: null, texts }]),
    )
    await sendAll()
    expect(mailTo(coach).text).toContain('¿Puedes?')
  })

  test('of two people who edit the same text, the second gets the name of the first', async () => {
    const first = await staff().change({ ...mail, text: 'Uno, {{nombre}}.', if_updatedAt: null })
    expect(await refusalOf(staff().change({ ...mail, text: 'Dos.', if_updatedAt: null }))).toMatchObject({
      code: 'CHANGED_MEANWHILE',
      data: { by: 'Mónica', when: 'hace 1 min' },
    })
    await staff().change({ ...mail, text: 'Dos.', if_updatedAt: first.template.updatedAt })
  })
})

describe('switches', () => {
  test('a channel is switched off and on; an email about place, money or card is not (M12)', async () => {
    await staff().change({ ...mail, enabled: false })
    const person = await ana()
    const before = post.received.length
    await remind(person)
    expect(post.received).toHaveLength(before)
    const found = (await staff().all()).templates.find(({ event }) => event === 'reservation_reminder')
    expect(found?.channels.find(({ channel }) => channel === 'mail')).toMatchObject({
      enabled: false,
      default_enabled: true,
      locked: false,
    })
    await staff().change({ ...mail, enabled: true })
    expect(s.studio.settings().message_channels).toEqual({})
    expect(await refusalOf(staff().change({ event: 'class_cancelled', channel: 'mail', enabled: false }))).toMatchObject({
      code: 'MESSAGE_ALWAYS_SENT',
    })
  })
})

describe('WhatsApp', () => {
  const OWN = 'Qué tal, {{nombre}}. Mañana te esperamos en {{clase}}, en {{estudio}}. Trae calcetines, por favor.'

  test('a new text is sent once Meta approved it; until then the last approved one is (M11)', async () => {
    const person = await ana()
    const { template } = await staff().change({ ...whatsapp, text: OWN })
    expect(template.approval).toMatchObject({ status: 'pending', is_live: false })
    await doJobs(s)
    await remind(person)
    expect(rungLast()).toMatchObject({ template: 'recordatorio_de_clase', blanks: ['Ana', 'Reformer', 'vie 20 nov, 10:00', 'Roma Norte'] })
    expect(meta.templates.at(-1)).toMatchObject({
      status: 'PENDING',
      body: 'Qué tal, {{1}}. Mañana te esperamos en {{2}}, en {{3}}. Trae calcetines, por favor.',
    })
    await approve()
    await remind(person)
    const name = meta.templates.at(-1)?.name
    expect(rungLast()).toMatchObject({ template: name, blanks: ['Ana', 'Reformer', 'Roma Norte'] })
    const log = (await s.as(owner).messages.log({ customer_id: person.customer_id, channel: 'whatsapp' })).messages
    expect(log[0]?.text).toBe('Qué tal, Ana. Mañana te esperamos en Reformer, en Roma Norte. Trae calcetines, por favor.')
    // A rejected one leaves the approved one in use, and shows why.
    await staff().change({ ...whatsapp, text: `${OWN} Te queremos mucho aquí.` })
    await doJobs(s)
    await approve('REJECTED')
    await remind(person)
    expect(rungLast()?.template).toBe(name)
    const slot = (await staff().all()).templates
      .find(({ event }) => event === whatsapp.event)
      ?.channels.find(({ channel }) => channel === 'whatsapp')
    expect(slot?.approval).toEqual({ status: 'rejected', reason: 'INVALID_FORMAT', is_live: false })
    // The default again.
    await staff().change({ ...whatsapp, text: '' })
    await remind(person)
    expect(rungLast()?.template).toBe('recordatorio_de_clase')
  })

  test('handing in is repeated after a lost answer without a second template', async () => {
    await staff().change({ ...whatsapp, text: OWN })
    await doJobs(s)
    const count = meta.templates.length
    await s.sql('update whatsapp_template set "submittedAt" = null where is_own and "retiredAt" is null')
    await doJobs(s, 'messages.templates-sync')
    expect(meta.templates).toHaveLength(count)
    expect(await s.sql('select 1 from whatsapp_template where is_own and "submittedAt" is null and "retiredAt" is null')).toEqual([])
  })

  test('a text that Meta paused between is refused there, and an email with the studio’s text replaces it (M6)', async () => {
    const person = await ana()
    await staff().change({ ...whatsapp, text: OWN })
    await doJobs(s)
    await approve()
    const last = meta.templates.at(-1)
    if (last) last.status = 'PAUSED'
    await s.as(owner).messageTemplates.change({ ...mail, text: 'Por correo, {{nombre}}.' })
    await s.having({ message_channels: { reservation_reminder: ['whatsapp'] } }, async () => {
      await remind(person)
      await sendAll()
    })
    expect(mailTo(person).text).toContain('Por correo, Ana.')
  })
})

describe('a test to oneself', () => {
  test('goes to the caller with the values of a real message and without its link (M13)', async () => {
    const person = await ana('Sofía')
    await remind(person, { type: 'Barre' })
    expect(await staff().test({ ...mail, subject: 'Prueba {{clase}}', text: 'Para {{nombre}}: {{detalles}}' })).toEqual({
      ok: true,
      to: owner.email,
    })
    await sendAll()
    const sent = mailTo(owner)
    expect(sent.subject).toBe('Prueba Barre')
    expect(sent.text).toContain('Para Mónica: Reformer, vie 20 nov, 10:00.')
    expect(sent.text).not.toContain('/mystudio/reservaciones')
    expect((await staff().samples({ event: 'reservation_reminder' })).samples[0]).toMatchObject({
      name: 'Sofía',
      values: { clase: 'Barre' },
    })
    expect(await s.sql('select 1 from message_template')).toEqual([])
  })

  test('a test by WhatsApp sends only what Meta approved, to the caller’s own telephone', async () => {
    expect(await refusalOf(staff().test(whatsapp))).toMatchObject({ code: 'NO_OWN_PHONE' })
  })
})
