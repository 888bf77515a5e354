/** Phones (S1-2.99, S1-5.14 to S1-5.16, S2-5.05, settled 36 and 37). */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { phoneWire } from './people.ts'
import { formatPhone, PHONE_PATTERN, phoneDigits, whatsappLink } from './phone.ts'

const digits = (length: number) => fc.stringMatching(new RegExp(`^[0-9]{${length}}$`))
const separator = fc.constantFrom('', '-', ' ', '.')

describe('what a field keeps of what was typed', () => {
  it('a phone field is digits, at most ten, whatever was pasted', () => {
    fc.assert(fc.property(fc.string({ maxLength: 60 }), (typed) => /^\d{0,10}$/.test(phoneDigits(typed))))
  })

  it('keeps the digits in their order and stays the same when it is typed again', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(digits(1), fc.constantFrom(' ', '-', '(', ')', '+', 'x', 'é', '٣')), { maxLength: 30 }), (keys) => {
        const stored = phoneDigits(keys.join(''))
        const typed = keys.filter((key) => /^[0-9]$/.test(key)).join('')
        const country = /^52\d{10}$/.test(typed) ? 2 : /^521\d{10}$/.test(typed) ? 3 : 0
        expect(stored).toBe(typed.slice(country, country + 10))
        expect(phoneDigits(stored)).toBe(stored)
      }),
    )
  })
})

it.each([
  ['+52 55 1234 5678', '5512345678'],
  ['+52 1 55 1234 5678', '5512345678'],
  ['5215512345678', '5512345678'],
  ['(55) 1234-5678', '5512345678'],
  ['5212345678', '5212345678'],
  ['52123456789', '5212345678'],
  ['551234567899', '5512345678'],
])('a field that a telephone fills in with %s keeps %s (settled 37)', (filled, stored) => {
  expect(phoneDigits(filled)).toBe(stored)
})

describe('the pattern for values that arrive from elsewhere (S1-5.12)', () => {
  const shaped = fc.tuple(
    fc.boolean(),
    fc.boolean(),
    digits(3),
    separator,
    digits(3),
    separator,
    fc.integer({ min: 4, max: 6 }).chain(digits),
  )

  it('takes an optional plus, three digits in optional parentheses, three, and four to six, with or without separators', () => {
    fc.assert(
      fc.property(shaped, ([plus, inside, a, x, b, y, c]) =>
        PHONE_PATTERN.test(`${plus ? '+' : ''}${inside ? `(${a})` : a}${x}${b}${y}${c}`),
      ),
    )
  })

  it('takes nothing else', () => {
    // Written a second time, by hand: every text that fits is one that this reader reads to its end.
    const reads = (text: string): boolean => {
      let at = 0
      const skip = (set: string) => {
        if (at < text.length && set.includes(text.charAt(at))) at++
      }
      const number = (least: number, most: number) => {
        let n = 0
        while (n < most && /[0-9]/.test(text.charAt(at))) {
          at++
          n++
        }
        return n >= least
      }
      skip('+')
      skip('(')
      if (!number(3, 3)) return false
      skip(')')
      skip(
        '- .\t\n\v\f\r\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff',
      )
      if (!number(3, 3)) return false
      skip(
        '- .\t\n\v\f\r\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff',
      )
      return number(4, 6) && at === text.length
    }
    const near = fc.array(fc.constantFrom(...'0123456789+()-. x'), { maxLength: 18 }).map((keys) => keys.join(''))
    fc.assert(
      fc.property(
        fc.oneof(
          near,
          shaped.map((parts) => parts.slice(2).join('')),
          fc.string(),
        ),
        (text) => {
          expect(PHONE_PATTERN.test(text)).toBe(reads(text))
        },
      ),
      { numRuns: 2_000 },
    )
  })
})

describe('a phone on the wire', () => {
  it('a phone on the wire is ten digits, however it was written, with or without the country', () => {
    fc.assert(
      fc.property(digits(10), separator, separator, fc.constantFrom('', '52', '+52'), (phone, x, y, country) => {
        const written = `${country}${phone.slice(0, 3)}${x}${phone.slice(3, 6)}${y}${phone.slice(6)}`
        const read = phoneWire.safeParse(written)
        // The pattern has no room for a country and separators at once (settled 37).
        if (PHONE_PATTERN.test(written)) expect(read.data).toBe(phone)
        else expect(read.success).toBe(false)
      }),
    )
  })

  it('a phone on the wire is never anything but ten digits', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[0-9 +().-]{0,25}$/)), (text) => {
        const read = phoneWire.safeParse(text)
        expect(read.success ? /^\d{10}$/.test(read.data) : read.error.issues[0]?.message !== undefined).toBe(true)
      }),
    )
  })

  it.each(['', '5512', 'abc', '55 1234 567', '+1 (555) 123-45678901', '55123456789012'])('%j is none, and the sentence says so', (text) => {
    const read = phoneWire.safeParse(text)
    expect(read.error?.issues.map((issue) => issue.message)).toContain('El formato del teléfono no es correcto.')
  })
})

it('links to a chat carry the country: 52 in links, 52 1 in the floating widget (S1-9.12)', () => {
  fc.assert(
    fc.property(digits(10), (phone) => {
      expect(whatsappLink(phone)).toBe(`https://wa.me/52${phone}`)
      expect(whatsappLink(phone, 'widget')).toBe(`https://wa.me/521${phone}`)
    }),
  )
})

it.each([
  ['5548217390', '55 4821 7390'],
  ['8112345678', '81 1234 5678'],
  ['6640000118', '664 000 0118'],
  // One from other sources is shown as it is stored.
  ['+525548217390', '+525548217390'],
])('%s is shown as %s', (phone, shown) => {
  expect(formatPhone(phone)).toBe(shown)
})
