/** The service's mails on the real queue: once, after the commit, again after a failure, and never to an outdated address. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { defaultSettings } from '#contract/settings.ts'
import { type Mail, type MailPort, MailRefused } from '#server/adapters/mail/port.ts'
import { queuesOf } from '#server/adapters/queues.ts'
import { openDb } from '#server/platform/db.ts'
import { openEvents } from '#server/platform/events.ts'
import { openJobs } from '#server/platform/jobs.ts'
import { openLog } from '#server/platform/log.ts'
import { identityUnderTest, PASSWORD, someEmail, type UnderTest } from '#server/testing/identity-service.ts'
import { testSecretBox } from '#server/testing/master-keys.ts'
import { freshDatabase } from '#server/testing/postgres.ts'
import { newRun } from '#server/testing/run.ts'
import { chooseIdentity } from './choose.ts'
import { queueEmail } from './emails.ts'

let it: UnderTest
beforeAll(async () => {
  it = await identityUnderTest()
})
afterAll(() => it.close())

test('emails are sent by the job queue: none after a rollback, one after the commit, retried after a failure', async () => {
  const database = await freshDatabase()
  const log = openLog('silent')
  const db = openDb({ connection: database })
  const [events, jobs] = await Promise.all([openEvents(database, db.pool, log), openJobs(db.pool, log, queuesOf([], { mailsAtOnce: 1 }))])
  db.attachOutbox({ sendJobs: jobs.sendJobs, publish: events.publish })
  const sent: Mail[] = []
  let failures = 1
  // A mail server that is down at first: what a port does then, without waiting for a real one to come back.
  const mail: MailPort = {
    async send(mail) {
      if (failures-- > 0) throw new Error('the mail server does not answer')
      sent.push(mail)
    },
    jobs: () => [],
    close: async () => {},
  }
  const identity = chooseIdentity({
    db,
    settings: () => defaultSettings,
    publicUrl: 'http://localhost:3000',
    now: () => new Date(),
    mail,
    secrets: testSecretBox(),
    isStaff: async () => false,
    isSharedSession: async () => false,
    events,
    log,
  })
  const email = someEmail()
  await identity.createAccount({ email })
  jobs.register(identity.jobs())
  await jobs.work()
  await db
    .tx(async (tx) => {
      await queueEmail(tx, { kind: 'PASSWORD_RESET', email })
      throw new Error('changed its mind')
    })
    .catch(() => {})
  await identity.sendPasswordLink(email)
  await expect.poll(() => sent.length, { timeout: 18_000, interval: 200 }).toBe(1)
  expect(sent[0]).toMatchObject({ to: email, subject: 'Elige tu contraseña de Estudio' })
  expect(sent[0]?.messageId).toMatch(/^identidad\.[\w-]{36}$/)
  // Nothing usable lies in the queue, nor in its history.
  const code = new URL(/https?:\/\/\S+/.exec(sent[0]?.text ?? '')?.[0] ?? '').searchParams.get('oobCode') ?? ''
  const { rows } = await db.pool.query(
    "select count(*)::int as jobs, count(*) filter (where data::text like '%' || $1 || '%')::int as leaks from jobs.job where data->>'job' = 'identity-letter'",
    [code],
  )
  expect(rows[0]).toEqual({ jobs: 1, leaks: 0 })
  await jobs.stop()
  await events.close()
  await db.close()
}, 30_000)

test('an email that is refused for good is not retried', async () => {
  let tries = 0
  const mail: MailPort = {
    async send() {
      tries++
      throw new MailRefused('no such mailbox')
    },
    jobs: () => [],
    close: async () => {},
  }
  const log = openLog('silent')
  const identity = chooseIdentity({
    db: it.db,
    settings: () => defaultSettings,
    publicUrl: it.publicUrl,
    now: it.now,
    mail,
    secrets: testSecretBox(),
    isStaff: async () => false,
    isSharedSession: async () => false,
    events: { listen: () => () => {} },
    log,
  })
  const email = someEmail()
  await identity.createAccount({ email })
  await identity.sendPasswordLink(email)
  const job = it.queue.splice(0)[0]
  await identity.jobs()[0]?.work(job?.data, newRun())
  expect(tries).toBe(1)
})

test('mails are in the language of the page where they were requested, where the studio offers it (G13)', async () => {
  const email = someEmail()
  await it.identity.createAccount({ email })
  const reset = async (locale: string) => {
    await it.call('accounts:sendOobCode', { requestType: 'PASSWORD_RESET', email }, { 'x-firebase-locale': locale })
    return (await it.letters())[0]
  }
  expect((await reset('en'))?.subject).toBe('Elige tu contraseña de Vaivén')
  it.change({ languages: 'es-MX,en' })
  expect((await reset('es'))?.subject).toBe('Elige tu contraseña de Vaivén')
  const english = await reset('en')
  expect(english?.subject).toBe('Choose your password for Vaivén')
  expect(english?.text).toContain(`You asked for a new password for your account ${email}.`)
  expect(english?.text).toContain('The link works once and expires in 1 hour.')
  it.change({ languages: 'es-MX' })
})

test('an email whose reason is gone is not sent', async () => {
  const deleted = await it.identity.createAccount({ email: someEmail() })
  const locked = { email: someEmail() }
  const { uid } = await it.identity.createAccount(locked)
  const moved = await it.call('accounts:signUp', { email: someEmail(), password: PASSWORD })
  const idToken = moved.json?.idToken
  await it.call('accounts:sendOobCode', { requestType: 'VERIFY_EMAIL', idToken })
  await it.call('accounts:sendOobCode', { requestType: 'PASSWORD_RESET', email: moved.json?.email })
  await it.call('accounts:sendOobCode', { requestType: 'PASSWORD_RESET', email: locked.email })
  const target = someEmail()
  await it.call('accounts:sendOobCode', { requestType: 'VERIFY_AND_CHANGE_EMAIL', idToken, newEmail: target })
  expect(it.queue).toHaveLength(4)
  await it.identity.removeAccount(deleted.uid)
  await it.identity.setDisabled(uid, true)
  expect((await it.call('accounts:update', { idToken, email: someEmail(), returnSecureToken: true })).status).toBe(200)
  await it.call('accounts:signUp', { email: target, password: PASSWORD })
  // Only the undo link, to the former address.
  expect((await it.letters()).map(({ to, link }) => [to, link.searchParams.get('mode')])).toEqual([[moved.json?.email, 'recoverEmail']])
})

test('a change of password invalidates links sent before', async () => {
  const email = someEmail()
  const answer = await it.call('accounts:signUp', { email, password: PASSWORD })
  await it.call('accounts:sendOobCode', { requestType: 'PASSWORD_RESET', email })
  await it.call('accounts:sendOobCode', { requestType: 'EMAIL_SIGNIN', email, continueUrl: it.publicUrl })
  await it.call('accounts:sendOobCode', { requestType: 'VERIFY_AND_CHANGE_EMAIL', idToken: answer.json?.idToken, newEmail: someEmail() })
  const codes = (await it.letters()).map((mail) => mail.link.searchParams.get('oobCode'))
  expect(codes).toHaveLength(3)
  for (const oobCode of codes) expect((await it.call('accounts:resetPassword', { oobCode })).status).toBe(200)
  await it.call('accounts:update', { idToken: answer.json?.idToken, password: 'tortuga-lenta-88', returnSecureToken: true })
  for (const oobCode of codes) expect((await it.call('accounts:resetPassword', { oobCode })).code).toBe('INVALID_OOB_CODE')
})

test('after two email changes by an intruder the owner can still go back to the old address', async () => {
  const email = someEmail()
  const { uid } = await it.identity.createAccount({ email, password: PASSWORD, emailVerified: true })
  const move = async (idToken: unknown, newEmail: string) => {
    await it.call('accounts:sendOobCode', { requestType: 'VERIFY_AND_CHANGE_EMAIL', idToken, newEmail })
    const [mail] = await it.letters()
    expect((await it.call('accounts:update', { oobCode: mail?.link.searchParams.get('oobCode') })).json).toMatchObject({
      email: newEmail,
    })
    const [undoMail] = await it.letters()
    const signedIn = await it.call('accounts:signInWithPassword', { email: newEmail, password: PASSWORD })
    return { idToken: signedIn.json?.idToken, wayBack: undoMail?.link.searchParams.get('oobCode') }
  }
  const first = await move(await it.identity.tokenFor(uid), someEmail())
  const second = await move(first.idToken, someEmail())
  expect((await it.call('accounts:resetPassword', { oobCode: first.wayBack })).json).toMatchObject({ requestType: 'RECOVER_EMAIL', email })
  expect((await it.call('accounts:update', { oobCode: first.wayBack })).json).toMatchObject({ localId: uid, email, emailVerified: true })
  expect((await it.call('accounts:update', { oobCode: second.wayBack })).code).toBe('INVALID_OOB_CODE')
  expect((await it.call('accounts:lookup', { idToken: second.idToken })).code).toBe('TOKEN_EXPIRED')
})

test('each email names the studio and how long its link is valid', async () => {
  const email = someEmail()
  const answer = await it.call('accounts:signUp', { email, password: PASSWORD })
  const idToken = answer.json?.idToken
  await it.call('accounts:sendOobCode', { requestType: 'PASSWORD_RESET', email })
  await it.call('accounts:sendOobCode', { requestType: 'VERIFY_EMAIL', idToken })
  await it.call('accounts:sendOobCode', { requestType: 'VERIFY_AND_CHANGE_EMAIL', idToken, newEmail: someEmail() })
  await it.call('accounts:sendOobCode', { requestType: 'EMAIL_SIGNIN', email, continueUrl: `${it.publicUrl}/entrar?a=1&b=2` })
  const mails = await it.letters()
  expect(mails.map(({ subject, text, link }) => [subject, /vence en (.*?)\./.exec(text)?.[1], link.searchParams.get('mode')])).toEqual([
    ['Elige tu contraseña de Vaivén', '1 hora', 'resetPassword'],
    ['Confirma tu correo en Vaivén', '3 días', 'verifyEmail'],
    ['Confirma tu nuevo correo en Vaivén', '3 días', 'verifyAndChangeEmail'],
    ['Entra a Vaivén', '15 minutos', 'signIn'],
  ])
  for (const { link, html } of mails) {
    expect(`${link.origin}${link.pathname}`).toBe(`${it.publicUrl}/cuenta/accion`)
    expect([...link.searchParams.keys()].filter((key) => key !== 'continueUrl')).toEqual(['mode', 'oobCode', 'apiKey', 'lang'])
    expect(html).toContain(`href="${link.href.replaceAll('&', '&amp;')}"`)
  }
  expect(mails[3]?.link.searchParams.get('continueUrl')).toBe(`${it.publicUrl}/entrar?a=1&b=2`)
})
