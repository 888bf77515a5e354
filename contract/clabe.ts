/** CLABE: the 18 digits of a Mexican bank account; the last one is a check digit. */

const WEIGHTS = [3, 7, 1] as const

/** The check digit of the first 17 digits. */
export function clabeCheckDigit(digits: string): number {
  const sum = [...digits.slice(0, 17)].reduce((total, digit, at) => total + ((Number(digit) * (WEIGHTS[at % 3] ?? 1)) % 10), 0)
  return (10 - (sum % 10)) % 10
}

/** Whether a text is a CLABE: 18 digits whose last one checks the others. The first three are the bank, and none is 000. */
export const isClabe = (text: string): boolean => /^(?!000)\d{18}$/.test(text) && clabeCheckDigit(text) === Number(text[17])
