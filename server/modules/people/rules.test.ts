import { describe, expect, it } from 'vitest'
import { refuse } from '#contract/errors.ts'
import { removesAccount, whyNotClaim } from './rules.ts'

describe('who may be linked to an existing customer (P3)', () => {
  it.each([
    ['nobody has the address', null, false, null],
    ['nobody has the address, proven', null, true, null],
    ['reception wrote it down, not proven', { uid: null }, false, 'EMAIL_NOT_VERIFIED'],
    ['reception wrote it down, proven', { uid: null }, true, null],
    ['somebody has an account', { uid: 'otra' }, false, 'ACCOUNT_EXISTS'],
    ['somebody has an account, proven', { uid: 'otra' }, true, 'ACCOUNT_EXISTS'],
  ] as const)('%s', (_, found, emailVerified, code) => {
    expect(whyNotClaim(found, { emailVerified })?.code ?? null).toBe(code)
  })
})

describe('which failed sign-ups delete their account (P4)', () => {
  const unknown = { customer: null, staff: null }
  it.each([
    ['a phone in use removes it', refuse('PHONE_IN_USE'), unknown, true],
    ['an address in use removes it', refuse('ACCOUNT_EXISTS'), unknown, true],
    ['a missing document removes it', refuse('DOCUMENTS_REQUIRED'), unknown, true],
    ['a bug removes it', new Error('bug'), unknown, true],
    ['an address to prove keeps it', refuse('EMAIL_NOT_VERIFIED'), unknown, false],
    ['a customer keeps it', refuse('PHONE_IN_USE'), { customer: {}, staff: null }, false],
    ['staff keep it', new Error('bug'), { customer: null, staff: {} }, false],
  ] as const)('%s', (_, failure, owns, removed) => {
    expect(removesAccount(failure, owns)).toBe(removed)
  })
})
