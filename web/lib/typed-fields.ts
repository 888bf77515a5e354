/**
 * What was typed into the forms for log-in, sign-up and a forgotten password, kept in the page's memory: choosing another one unmounts the
 * one that was begun. Passwords are not kept.
 */
const NAMES = /^(?:email|name|last_name|phone)$/
const typed = new Map<string, string>()

const isRemembered = (field: unknown): field is HTMLInputElement => field instanceof HTMLInputElement && NAMES.test(field.name)

/** The `ref` of such a form: fills in what the other one was told. */
export function rememberTyped(form: HTMLFormElement | null): (() => void) | undefined {
  if (!form) return
  for (const field of form.elements) if (isRemembered(field) && !field.value) field.value = typed.get(field.name) ?? ''
  const note = ({ target }: Event) => {
    if (isRemembered(target)) typed.set(target.name, target.value)
  }
  form.addEventListener('input', note)
  return () => form.removeEventListener('input', note)
}
