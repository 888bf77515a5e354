import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { storeToken, validStoredToken } from './stored-token.ts'

const END = 1_800_000_000
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const jwt = (claims: object) => `${part({ alg: 'RS256' })}.${part(claims)}.firma`
const CLAIMS = { sub: 'u-1', email: 'íñigo@correo.test', email_verified: true, exp: END }

beforeEach(() => {
  const rows = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => rows.get(key) ?? null,
    setItem: (key: string, value: string) => rows.set(key, value),
  })
})
afterEach(() => vi.unstubAllGlobals())

describe('the stored ID token', () => {
  test('the stored ID token is returned with its user', () => {
    const token = jwt(CLAIMS)
    storeToken(token)
    expect(validStoredToken((END - 60) * 1_000)).toEqual({
      token,
      user: { uid: 'u-1', email: 'íñigo@correo.test', emailVerified: true },
    })
  })

  test('the stored ID token is not used in its last 30 seconds and after its end', () => {
    storeToken(jwt(CLAIMS))
    expect(validStoredToken((END - 30) * 1_000)).not.toBeNull()
    expect(validStoredToken((END - 30) * 1_000 + 1)).toBeNull()
    expect(validStoredToken((END + 1) * 1_000)).toBeNull()
  })

  test.each(['', 'x', 'a.b.c', `a.${part({ sub: 7, exp: END })}.c`, `a.${part({ sub: 'u-1' })}.c`, 'a.bnVsbA.c'])(
    '"%s" is no token',
    (text) => {
      storeToken(text)
      expect(validStoredToken(0)).toBeNull()
    },
  )

  test('the stored ID token is not used while a sign-out is not complete', () => {
    storeToken(jwt(CLAIMS))
    localStorage.setItem('estudio:saliendo', '1')
    expect(validStoredToken(0)).toBeNull()
  })

  test('a browser that refuses to store has none', () => {
    vi.stubGlobal('localStorage', {
      getItem() {
        throw new Error('blocked')
      },
      setItem() {
        throw new Error('full')
      },
    })
    storeToken(jwt(CLAIMS))
    expect(validStoredToken(0)).toBeNull()
  })
})
