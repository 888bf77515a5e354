/** Rules for passwords: the studio's settings in the form of Google's policy (schema 1), and a list of common passwords (settled 33). */
import type { Settings } from '#contract/settings.ts'
import { commonPasswordParts } from './common-passwords.ts'
import { identityFault } from './fault.ts'

export type PolicySettings = Pick<
  Settings,
  'password_min_length' | 'password_max_length' | 'password_lowercase' | 'password_uppercase' | 'password_numeric' | 'password_symbol'
>

/** The characters that Google counts as symbols. */
const SYMBOLS = [
  '^',
  '$',
  '*',
  '.',
  '[',
  ']',
  '{',
  '}',
  '(',
  ')',
  '?',
  '"',
  '!',
  '@',
  '#',
  '%',
  '&',
  '/',
  '\\',
  ',',
  '>',
  '<',
  "'",
  ':',
  ';',
  '|',
  '_',
  '~',
  '`',
]

/** Longer passwords are refused before hashing; none is ever truncated. */
const LONGEST = 4_096
const SHORTEST = 6
/** Minimum length for staff, who can change other people's bookings and money (P17). */
export const SHORTEST_OF_STAFF = 8

/** The response of `GET /v2/passwordPolicy`. A disabled rule is left out: the SDK takes any value as enabled. */
export function passwordPolicy(settings: PolicySettings): object {
  return {
    customStrengthOptions: {
      minPasswordLength: settings.password_min_length,
      ...(settings.password_max_length === null ? {} : { maxPasswordLength: settings.password_max_length }),
      ...(settings.password_lowercase ? { containsLowercaseCharacter: true } : {}),
      ...(settings.password_uppercase ? { containsUppercaseCharacter: true } : {}),
      ...(settings.password_numeric ? { containsNumericCharacter: true } : {}),
      ...(settings.password_symbol ? { containsNonAlphanumericCharacter: true } : {}),
    },
    allowedNonAlphanumericCharacters: SYMBOLS,
    enforcementState: 'ENFORCE',
    forceUpgradeOnSignin: false,
    schemaVersion: 1,
  }
}

/**
 * Throws when a new password is too short, violates the policy, or is a common one. Lengths in UTF-16 units, letters ASCII, as the SDK
 * counts.
 */
export function checkNewPassword(password: string, email: string, settings: PolicySettings, isStaff = false): void {
  const shortest = isStaff ? SHORTEST_OF_STAFF : SHORTEST
  if (password.length < shortest) throw identityFault('WEAK_PASSWORD', `Password should be at least ${shortest} characters`)
  const longest = settings.password_max_length ?? LONGEST
  const missing = [
    password.length < settings.password_min_length && `Password must contain at least ${settings.password_min_length} characters`,
    password.length > longest && `Password may contain at most ${longest} characters`,
    settings.password_lowercase && !/[a-z]/.test(password) && 'Password must contain a lower case character',
    settings.password_uppercase && !/[A-Z]/.test(password) && 'Password must contain an upper case character',
    settings.password_numeric && !/[0-9]/.test(password) && 'Password must contain a numeric character',
    settings.password_symbol &&
      !SYMBOLS.some((symbol) => password.includes(symbol)) &&
      'Password must contain a non-alphanumeric character',
    password.length <= longest && isCommonPassword(password, email) && 'Password must not be a common password',
  ].filter((rule) => rule !== false)
  if (missing.length) throw identityFault('PASSWORD_DOES_NOT_MEET_REQUIREMENTS', `Missing password requirements: [${missing.join(', ')}]`)
}

/** Sequences of a keyboard, the alphabet and the digits: any part of one, in either direction, is common. */
const KEYBOARD_RUNS = [
  '01234567890123456789',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiopasdfghjklnzxcvbnm',
  'qwertyuiopasdfghjklzxcvbnm',
  'qazwsxedcrfvtgbyhnujmikolp',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p',
  '1q2w3e4r5t6y7u8i9o0p',
  'q1w2e3r4t5y6u7i8o9p0',
  'a1b2c3d4e5f6g7h8i9j0',
  // Patterns on the number pad.
  '147258369',
  '1478523690',
  '789456123',
  '159357456852',
  '159753',
  '13579024680',
].flatMap((run) => [run, [...run].reverse().join('')])

const DISGUISE: Record<string, string> = { '0': 'o', '1': 'i', '3': 'e', '4': 'a', '5': 's', '7': 't', '@': 'a', $: 's', '!': 'i' }
const undisguise = (text: string) => text.replace(/[013457@$!]/g, (sign) => DISGUISE[sign] ?? sign)
/** The text without up to five digits and symbols at its end. */
const withoutEnding = (text: string) => text.replace(/[\d\W_]{1,5}$/, '')

const isKeyboardRun = (text: string, least = 4) => text.length >= least && KEYBOARD_RUNS.some((run) => run.includes(text))

/**
 * Whether attackers would try a password first: a known word with an ending or substitutions, a keyboard walk, a repetition, or the
 * person's own e-mail.
 */
export function isCommonPassword(password: string, email: string): boolean {
  const plain = password.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '')
  if (/^(.{1,4})\1+$/s.test(plain)) return true
  const local = email.split('@')[0] ?? ''
  const known = (word: string) => word !== '' && (commonPasswordParts.has(word) || isKeyboardRun(word) || word === local || word === email)
  const bare = withoutEnding(plain)
  const forms = [plain, bare, undisguise(plain), undisguise(bare), withoutEnding(undisguise(plain)), plain.replace(/^[\d\W_]{1,4}/, '')]
  if (forms.some(known)) return true
  // A word twice ("amoramor"), forth and back ("123321"), each character twice ("112233"), or very few different ones.
  const half = plain.slice(0, plain.length / 2)
  const mirrored = [...half].reverse().join('')
  if (plain.length % 2 === 0 && (known(half) || isKeyboardRun(half, 3)) && (plain === half + half || plain === half + mirrored)) return true
  if (/^(?:(.)\1)+$/.test(plain) || (/^\d+$/.test(plain) && new Set(plain).size <= 2)) return true
  // A word or a letter or two beside a walk ("amor123456", "a123456", "12345a").
  const [, before = '', digits = ''] = /^([a-z]*)(\d+)([a-z]{0,2})$/.exec(plain) ?? []
  return (before.length <= 2 || known(before)) && (isKeyboardRun(digits) || /^(\d)\1+$/.test(digits))
}
