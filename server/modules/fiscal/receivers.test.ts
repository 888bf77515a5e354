/** Receivers of invoices: their RFCs, names and postal codes, and the regimes and uses that the catalogues of the SAT allow together. */
import { describe, expect, test } from 'vitest'
import { hasCheckDigit, isRfc } from '#contract/rfc.ts'
import { REGIME_CODES, regimesOf, usesOf } from '#contract/sat-catalogues.ts'
import { TEST_TAXPAYERS } from '#server/adapters/pac/sandbox/taxpayers.ts'
import { creditReceiver, normalizeReceiver, type Receiver, receiverIssues } from './rules.ts'

const KARLA: Receiver = { rfc: 'FUNK671228PH6', name: 'KARLA FUENTE NOLASCO', postalCode: '01160', regime: '612', use: 'G03' }

describe('receivers', () => {
  test('check digits of registered RFCs, of persons and companies; the generic one fails it', () => {
    expect(TEST_TAXPAYERS.filter(({ rfc }) => !isRfc(rfc))).toEqual([])
    const right = TEST_TAXPAYERS.filter(({ rfc }) => hasCheckDigit(rfc)).map(({ rfc }) => rfc)
    expect(right).toEqual(expect.arrayContaining(['EKU9003173C9', 'FUNK671228PH6', 'CACX7605101P8', 'XIA190128J61']))
    expect(hasCheckDigit('EKU9003173C8')).toBe(false)
    expect(hasCheckDigit('XAXX010101000')).toBe(false)
  })

  test('lower case and blanks are cleaned', () => {
    expect(normalizeReceiver({ ...KARLA, rfc: ' funk 671228-ph6', name: ' Karla Fuente Nolasco ' }, '42501')).toEqual(KARLA)
  })

  test.each<[string, Partial<Receiver>, string]>([
    ['a wrong RFC', { rfc: 'ABC' }, 'rfc'],
    ['the RFC of the public', { rfc: 'XAXX010101000' }, 'rfc'],
    ['no name', { name: ' | ' }, 'name'],
    ['the kind of company in its name', { rfc: 'XIA190128J61', regime: '601', name: 'XENON S.A. DE C.V.' }, 'name'],
    ['four digits', { postalCode: '1160' }, 'postal_code'],
    ['a regime of companies', { regime: '601' }, 'regime'],
    ['605 with G03', { regime: '605' }, 'use'],
    ['616 with G03', { regime: '616' }, 'use'],
  ])('refuses %s before the SAT does, with its field (FA5)', (_, more, path) => {
    expect(receiverIssues({ ...KARLA, ...more }).map((issue) => issue.path)).toEqual([path])
  })

  test('every regime has a use, and every kind of person a regime', () => {
    for (const code of REGIME_CODES) expect(usesOf(code).length).toBeGreaterThan(0)
    expect(regimesOf('FUNK671228PH6')).not.toContain('601')
    expect(regimesOf('EKU9003173C9')).not.toContain('605')
    expect(receiverIssues(KARLA)).toEqual([])
  })
})
/** c_UsoCFDI of the SAT, as far as a studio's invoices use it: the regimes of the receiver that each use allows. */
const ALLOWED = {
  G03: ['601', '603', '606', '612', '620', '621', '622', '623', '624', '625', '626'],
  G02: ['601', '603', '606', '612', '616', '620', '621', '622', '623', '624', '625', '626'],
} as const
const OF_COMPANIES = ['601', '603', '610', '620', '622', '623', '624', '626']
const OF_PERSONS = ['605', '606', '607', '608', '610', '611', '612', '614', '615', '616', '621', '625', '626']

describe('receivers against the catalogues of the SAT', () => {
  const company = { rfc: 'EKU9003173C9', name: 'ESCUELA KEMPER URGATE', postalCode: '42501' }
  const person = { rfc: KARLA.rfc, name: KARLA.name, postalCode: KARLA.postalCode }
  const foreigner = { rfc: 'XEXX010101000', name: 'JANE DOE', postalCode: '01160' }
  const cases = [
    ...[company, person, foreigner].flatMap((receiver) =>
      REGIME_CODES.flatMap((regime) => (['G03', 'S01'] as const).map((use) => ({ receiver, regime, use }))),
    ),
  ]

  test.each(cases)('$receiver.rfc with regime $regime and use $use', ({ receiver, regime, use }) => {
    const kinds = receiver === company ? OF_COMPANIES : receiver === person ? OF_PERSONS : ['616']
    const isRight = kinds.includes(regime) && (use === 'S01' || (ALLOWED.G03 as readonly string[]).includes(regime))
    const issues = receiverIssues({ ...receiver, regime, use })
    expect(issues.length === 0).toBe(isRight)
    if (!isRight)
      expect(issues).toMatchObject([
        { path: kinds.includes(regime) ? 'use' : 'regime', message: expect.stringMatching(/^[A-ZÁÉÍÓÚ].*\.$/) },
      ])
    // A credit note has a use that its receiver's regime allows.
    if (isRight) {
      const credit = creditReceiver({ ...receiver, regime, use }).use
      expect(credit === 'S01' || (ALLOWED.G02 as readonly string[]).includes(regime)).toBe(true)
    }
  })

  test.each([
    [{ rfc: 'XAXX010101000' }, 'rfc'],
    [{ rfc: ' xaxx010101000 ' }, 'rfc'],
    [{ name: 'Público en general' }, 'name'],
    [{ name: ' PUBLICO  EN GENERAL ' }, 'name'],
    [{ postalCode: '00000' }, 'postal_code'],
    [{ postalCode: '00999' }, 'postal_code'],
    [{ postalCode: '4250' }, 'postal_code'],
    [{ postalCode: '４２５０１' }, 'postal_code'],
  ])('%j is refused before the SAT is asked', (more, path) => {
    expect(receiverIssues(normalizeReceiver({ ...KARLA, ...more }, '42501')).map((issue) => issue.path)).toEqual([path])
  })

  test('a foreigner has the postal code of the place of issue, whatever was typed', () => {
    const read = normalizeReceiver({ ...foreigner, postalCode: '00000', regime: '616', use: 'S01' }, '42501')
    expect([read.postalCode, receiverIssues(read)]).toEqual(['42501', []])
  })
})
