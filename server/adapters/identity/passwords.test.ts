/** Password policy, common passwords (settled 33) and hashing. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { defaultSettings, type Settings } from '#contract/settings.ts'
import { IdentityFault, Overloaded } from './fault.ts'
import { passwordHasher } from './hashing.ts'
import { checkNewPassword, isCommonPassword, passwordPolicy } from './password-policy.ts'

const check = (password: string, settings: Partial<Settings> = {}, email = 'ana.lopez@ejemplo.mx'): string => {
  try {
    checkNewPassword(password, email, { ...defaultSettings, ...settings })
    return 'good'
  } catch (error) {
    if (error instanceof IdentityFault) return error.message
    throw error
  }
}

test.each([
  ['cinco', {}, 'WEAK_PASSWORD'],
  ['zarzal', {}, 'good'],
  ['zarzal', { password_min_length: 8 }, 'at least 8 characters'],
  ['zarzamora', { password_min_length: 8 }, 'good'],
  ['k3jf9d-'.repeat(6), { password_max_length: 40 }, 'at most 40 characters'],
  ['ZARZAMORA', { password_lowercase: true }, 'a lower case character'],
  ['zarzamora', { password_uppercase: true }, 'an upper case character'],
  ['Ñandúñandú', { password_uppercase: true }, 'an upper case character'],
  ['zarzamora', { password_numeric: true }, 'a numeric character'],
  ['zarza mora', { password_symbol: true }, 'a non-alphanumeric character'],
  ['zarza-mora', { password_symbol: true }, 'a non-alphanumeric character'],
  ['zarza_mora', { password_symbol: true }, 'good'],
] as [string, Partial<Settings>, string][])('%j under %j: %s (S1-5.01, S1-5.02)', (password, settings, answer) => {
  expect(check(password, settings)).toContain(answer)
})

test('one refusal names every violated rule', () => {
  const message = check('zarzal', { password_min_length: 10, password_uppercase: true, password_numeric: true })
  expect(message).toBe(
    'PASSWORD_DOES_NOT_MEET_REQUIREMENTS : Missing password requirements: [Password must contain at least 10 characters, Password must contain an upper case character, Password must contain a numeric character]',
  )
})

test('the policy lists only the enabled rules (S1-5.02, S1-5.03)', () => {
  expect(passwordPolicy({ ...defaultSettings, password_max_length: 64, password_numeric: true })).toMatchObject({
    customStrengthOptions: { minPasswordLength: 6, maxPasswordLength: 64, containsNumericCharacter: true },
    schemaVersion: 1,
  })
})

// From the published lists of the most used passwords of the world, Spain and Mexico.
const MOST_USED = `123456 123456789 12345678 password qwerty123 qwerty1 111111 12345 secret 123123 1234567890 1234567 000000 qwerty abc123 password1 iloveyou
11111111 dragon monkey 123123123 123321 qwertyuiop 00000000 Password 654321 target123 tinkle 1q2w3e4r zag12wsx gwerty123 gwerty 1q2w3e4r5t 1qaz2wsx princess
sunshine football welcome admin admin123 letmein master shadow superman michael jordan charlie trustno1 passw0rd P@ssw0rd p4ssw0rd! 666666 987654321 asdfghjkl
zxcvbnm 112233 121212 aaaaaa q1w2e3r4 hola1234 hola123 contraseña Contraseña1 estrella tequiero teamo123 america guadalajara chivas pumas cruzazul mexico
alejandro alejandra gabriela daniela princesa mariposa corazon barcelona realmadrid carolina fernanda estefania chocolate miamor teamomucho bonita
guadalupe jesus123 sebastian santiago isabella valentina mexico2024 Maria1985 bebita12 12345a a123456 abcd1234 asdf1234 147258369 159753 789456123 147852
qazwsx pokemon naruto messi10 hello123 whatever starwars 1234qwer qwer1234 computer internet samsung`

test('refuses the most common passwords, also with suffixes or substitutions', () => {
  const passed = MOST_USED.split(/\s+/).filter((password) => password.length >= 6 && check(password) === 'good')
  // Machine-made entries of the lists, which no person types.
  expect(passed).toEqual(['tinkle', 'zag12wsx', 'gwerty123', 'gwerty'])
})

test('refuses the account’s own email as a password', () => {
  for (const password of ['ana.lopez', 'ana.lopez@ejemplo.mx', 'Ana.Lopez1', 'ana.lopez2026']) expect(check(password)).toContain('common')
  expect(check('ana.lopez1', {}, 'otra@ejemplo.mx')).toBe('good')
})

test('accepts passwords that people invent or machines generate', () => {
  for (const password of [
    'olas-y-montes-7',
    'zorro9montaña',
    'Vaivén#2026x',
    'correcto caballo pila',
    'mi perra come nubes',
    'aB3$xy9',
    'k3jf9d',
    'tres tristes tigres',
  ])
    expect([password, isCommonPassword(password, 'ana@ejemplo.mx')]).toEqual([password, false])
  const random = fc.string({
    unit: fc.constantFrom(...'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'),
    minLength: 12,
    maxLength: 30,
  })
  fc.assert(
    fc.property(random, (password) => new Set(password).size < 4 || !isCommonPassword(password, 'ana@ejemplo.mx')),
    { numRuns: 2_000 },
  )
})

test('hashes are tagged and salted; different Unicode forms of the same text are one password', async () => {
  const { hash, verify, outdated } = passwordHasher()
  const password = 'ñandú 🐦 con acentos'
  const [first, two] = await Promise.all([hash(password), hash(password)])
  expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
  expect(first).not.toBe(two)
  expect(await verify(password.normalize('NFD'), first)).toBe(true)
  expect(await verify(`${password} `, first)).toBe(false)
  expect(outdated(first)).toBe(false)
})

test('reads hashes with other parameters as outdated, and refuses foreign ones', async () => {
  const { verify, outdated } = passwordHasher()
  // RFC 9106 form, made with argon2id m=8192, t=1, p=1 over "olas-y-montes-7".
  const { argon2Sync } = await import('node:crypto')
  const nonce = Buffer.from('0123456789abcdef')
  const key = argon2Sync('argon2id', { message: 'olas-y-montes-7', nonce, parallelism: 1, tagLength: 32, memory: 8_192, passes: 1 })
  const bare = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')
  const old = `$argon2id$v=19$m=8192,t=1,p=1$${bare(nonce)}$${bare(key)}`
  expect(await verify('olas-y-montes-7', old)).toBe(true)
  expect(await verify('olas-y-montes-8', old)).toBe(false)
  expect(outdated(old)).toBe(true)
  for (const foreign of ['', 'olas-y-montes-7', '$2b$10$abcdefghijklmnopqrstuv', '$argon2id$v=19$m=19456,t=2,p=1$$'])
    expect([foreign, await verify('olas-y-montes-7', foreign)]).toEqual([foreign, false])
})

test('an unknown account costs a hash computation like a known one', async () => {
  const hasher = passwordHasher({ atOnce: 1, waiting: 0 })
  const unknown = hasher.verify('tortuga-lenta-88', null)
  // The only slot is taken and a second call is refused as busy: so the unknown account really is hashed against.
  await expect(hasher.verify('tortuga-lenta-88', null)).rejects.toThrow(Overloaded)
  expect(await unknown).toBe(false)
})

test('limits concurrent hashes; the others queue, and beyond the queue’s limit requests are refused', async () => {
  const { hash } = passwordHasher({ atOnce: 1, waiting: 3 })
  const results = await Promise.allSettled(Array.from({ length: 6 }, () => hash('olas-y-montes-7')))
  expect(results.map((result) => result.status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'rejected'])
  expect((results[5] as PromiseRejectedResult).reason).toBeInstanceOf(Overloaded)
  await expect(hash('olas-y-montes-7')).resolves.toMatch(/^\$argon2id/)
})
