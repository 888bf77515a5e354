/** Bodies as Stripe's SDK writes them: `items[0][price]=p_1&expand[]=latest_charge`. */

export type Form = { [key: string]: FormValue }
export type FormValue = string | FormValue[] | { [key: string]: FormValue }

/** Parses a form body or query string with brackets; whole-number keys make arrays. */
export function readForm(text: string): Form {
  const out: Form = {}
  for (const [name, value] of new URLSearchParams(text)) {
    const path = [...name.replace(/\[([^\]]*)\]/g, '\u0000$1').split('\u0000')]
    put(out, path, value)
  }
  return listsOf(out) as Form
}

function put(into: { [key: string]: FormValue }, path: string[], value: string): void {
  const [first = '', ...rest] = path
  const key = first === '' ? String(Object.keys(into).length) : first
  if (rest.length === 0) {
    into[key] = value
    return
  }
  into[key] ??= {}
  const inner = into[key]
  if (typeof inner === 'string' || Array.isArray(inner)) throw new Error(`${key} is a text and an object at once.`)
  put(inner, rest, value)
}

function listsOf(value: FormValue): FormValue {
  if (typeof value === 'string' || Array.isArray(value)) return value
  const entries = Object.entries(value).map(([key, inner]) => [key, listsOf(inner)] as const)
  return entries.length > 0 && entries.every(([key], at) => key === String(at))
    ? entries.map(([, inner]) => inner)
    : Object.fromEntries(entries)
}
