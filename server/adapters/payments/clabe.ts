/** CLABE, the number of a Mexican bank account: bank (3), branch city (3), account (11) and check digit. */

const WEIGHTS = [3, 7, 1] as const

/** The check digit of the first seventeen digits: weights 3, 7, 1, each product modulo ten (Banco de México). */
export function clabeCheckDigit(first: string): string {
  const sum = [...first].reduce((all, digit, at) => all + ((Number(digit) * (WEIGHTS[at % 3] ?? 0)) % 10), 0)
  return String((10 - (sum % 10)) % 10)
}

/** Whether a CLABE is valid: eighteen digits with a correct check digit. */
export const isClabe = (text: string): boolean => /^\d{18}$/.test(text) && text.at(-1) === clabeCheckDigit(text.slice(0, 17))
