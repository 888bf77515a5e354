/** Operations that must happen once although several requests arrive at the same moment, through two processes of one studio. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { identityUnderTest, OTHER_PASSWORD, PASSWORD, someEmail, type UnderTest } from '#server/testing/identity-service.ts'

let processes: [UnderTest, UnderTest]
beforeAll(async () => {
  const first = await identityUnderTest()
  processes = [first, await identityUnderTest({ database: first.database })]
})
afterAll(() => Promise.all(processes.map((process) => process.close())))

type Call = (process: UnderTest, n: number) => Promise<{ status: number; code: string | undefined }>

/** Runs all calls at once; those refused as busy are repeated, as clients do. */
const together = (times: number, work: Call) => {
  const callUntilFree: Call = async (process, n) => {
    const answer = await work(process, n)
    return answer.status === 503 ? await callUntilFree(process, n) : answer
  }
  return Promise.all(Array.from({ length: times }, (_, n) => callUntilFree(processes[n % 2 === 0 ? 0 : 1], n)))
}

test('twenty concurrent sign-ups with one email create one account', async () => {
  const email = someEmail()
  const answers = await together(20, (process, n) =>
    process.call('accounts:signUp', { email: n % 3 === 0 ? email.toUpperCase() : email, password: PASSWORD }),
  )
  expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1)
  expect(answers.filter((answer) => answer.code === 'EMAIL_EXISTS')).toHaveLength(19)
  const { rows } = await processes[0].db.pool.query('select count(*)::int as n from identity_account where lower(email) = $1', [email])
  expect(rows[0].n).toBe(1)
})

test('a code used ten times concurrently works once', async () => {
  const [first] = processes
  const email = someEmail()
  await first.identity.createAccount({ email, password: PASSWORD })
  await first.identity.sendPasswordLink(email)
  const code = (await first.letters())[0]?.link.searchParams.get('oobCode')
  const answers = await together(10, (process, n) =>
    process.call('accounts:resetPassword', { oobCode: code, newPassword: `${OTHER_PASSWORD}-${n}` }),
  )
  const winners = answers.flatMap((answer, n) => (answer.status === 200 ? [n] : []))
  expect(winners).toHaveLength(1)
  expect(answers.filter((answer) => answer.code === 'INVALID_OOB_CODE')).toHaveLength(9)
  expect((await first.call('accounts:signInWithPassword', { email, password: `${OTHER_PASSWORD}-${winners[0]}` })).status).toBe(200)
})

test('a mailed link opened ten times concurrently opens one session of one account', async () => {
  const [first] = processes
  const email = someEmail()
  await first.call('accounts:sendOobCode', { requestType: 'EMAIL_SIGNIN', email, continueUrl: first.publicUrl, canHandleCodeInApp: true })
  const oobCode = (await first.letters())[0]?.link.searchParams.get('oobCode')
  const answers = await together(10, (process) => process.call('accounts:signInWithEmailLink', { email, oobCode }))
  expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1)
  const { rows } = await first.db.pool.query(
    'select count(*)::int as sessions from identity_session join identity_account using (uid) where email = $1',
    [email],
  )
  expect(rows[0].sessions).toBe(1)
})

test('an account that stays locked too long is refused as busy, not as an error of the user', async () => {
  const [first] = processes
  const { json } = await first.call('accounts:signUp', { email: someEmail(), password: PASSWORD })
  const held = await first.db.pool.connect()
  await held.query('begin')
  await held.query('select 1 from identity_account where uid = $1 for update', [json?.localId])
  const answer = await first.call('accounts:update', { idToken: json?.idToken, displayName: 'Ana', returnSecureToken: true })
  await held.query('rollback')
  held.release()
  expect(answer).toMatchObject({ status: 503, json: null })
})

test('of two people who change to the same address one succeeds', async () => {
  const target = someEmail()
  const people = await Promise.all(processes.map((process) => process.call('accounts:signUp', { email: someEmail(), password: PASSWORD })))
  const answers = await Promise.all(
    processes.map((process, n) =>
      process.call('accounts:update', { idToken: people[n]?.json?.idToken, email: target, returnSecureToken: true }),
    ),
  )
  expect(answers.map((answer) => answer.status).sort()).toEqual([200, 400])
  expect(answers.find((answer) => answer.status === 400)?.code).toBe('EMAIL_EXISTS')
})

test('a sign-in concurrent with a change of password never leaves a session with the old password', async () => {
  const [first] = processes
  for (let round = 0; round < 6; round++) {
    const email = someEmail()
    const answer = await first.call('accounts:signUp', { email, password: PASSWORD })
    const [changed, ...signIns] = await Promise.all([
      first.call('accounts:update', { idToken: answer.json?.idToken, password: OTHER_PASSWORD, returnSecureToken: true }),
      ...Array.from({ length: 4 }, (_, n) =>
        processes[n % 2 === 0 ? 0 : 1].call('accounts:signInWithPassword', { email, password: PASSWORD }),
      ),
    ])
    expect(changed?.status).toBe(200)
    for (const signIn of signIns)
      if (signIn.status === 200) expect((await first.refresh(String(signIn.json?.refreshToken))).code).toBe('TOKEN_EXPIRED')
    const { rows } = await first.db.pool.query(
      'select count(*)::int as n from identity_session join identity_account using (uid) where email = $1',
      [email],
    )
    expect(rows[0].n).toBe(1)
  }
})

test('an account has at most fifty sessions; the least recently used one is ended', async () => {
  const [first] = processes
  const email = someEmail()
  await first.identity.createAccount({ email, password: PASSWORD })
  const tokens: string[] = []
  for (let n = 0; n < 52; n++) {
    const { json } = await first.call('accounts:signInWithPassword', { email, password: PASSWORD })
    tokens.push(String(json?.refreshToken))
  }
  expect((await first.refresh(tokens[0] ?? '')).code).toBe('TOKEN_EXPIRED')
  expect((await first.refresh(tokens[1] ?? '')).code).toBe('TOKEN_EXPIRED')
  expect((await first.refresh(tokens[2] ?? '')).status).toBe(200)
  expect((await first.refresh(tokens[51] ?? '')).status).toBe(200)
})
