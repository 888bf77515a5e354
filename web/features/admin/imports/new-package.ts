/** The number of classes in the name of a package of another system. */

/** "10 clases", "Paquete 8": how many classes; -1 for unlimited ones; null when the name has no number. */
export function classesInName(name: string): number | null {
  if (/ilimitad|unlimited|sin l[ií]mite/i.test(name)) return -1
  const found = /(?:^|\D)(\d{1,3})(?:\D|$)/.exec(name)
  const amount = found ? Number(found[1]) : 0
  return amount > 0 ? amount : null
}

export interface PackageDraft {
  title: string
  price: string
  isUnlimited: boolean
  classes: string
  days: string
}

export const draftOf = (name: string): PackageDraft => {
  const classes = classesInName(name)
  return {
    title: name.slice(0, 120),
    price: '',
    isUnlimited: classes === -1,
    classes: classes && classes > 0 ? String(classes) : '',
    days: '30',
  }
}

const PESOS = /^\d{1,6}(\.\d{1,2})?$/
const WHOLE = /^[1-9]\d{0,3}$/

/** What is missing before the package can be created; null: nothing. */
export function draftProblem({ title, price, isUnlimited, classes, days }: PackageDraft): string | null {
  if (title.trim() === '') return 'Escribe cómo se llama.'
  if (!PESOS.test(price)) return 'Escribe el precio en pesos, como 230 o 230.50.'
  if (!isUnlimited && !WHOLE.test(classes)) return 'Escribe cuántas clases da.'
  return WHOLE.test(days) ? null : 'Escribe en cuántos días vence.'
}
