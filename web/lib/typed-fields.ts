import type { Answers } from '#contract/forms.ts'

/**
 * What was typed into the forms for log-in, sign-up and a forgotten password, kept in the page's memory: choosing another form unmounts the
 * one that was begun. Passwords are not stored, and all of it is forgotten after signing in, signing out or closing the forms.
 */
const NAMES = /^(?:email|name|last_name|phone|signup_reason(?:_other)?)$/
const typed = new Map<string, string>()
/** Answers to the studio's own questions at sign-up; a chosen file is the File itself. */
let answers: Answers = {}

const isRemembered = (field: unknown): field is HTMLInputElement | HTMLSelectElement =>
  (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) && NAMES.test(field.name)

/** The `ref` of such a form: fills in what was typed into another one. A field that was filled in before hydration is stored as it is. */
export function rememberTyped(form: HTMLFormElement | null): (() => void) | undefined {
  if (!form) return
  for (const field of form.elements) {
    if (!isRemembered(field)) continue
    if (field.value) typed.set(field.name, field.value)
    else field.value = typed.get(field.name) ?? ''
  }
  const note = ({ target }: Event) => {
    if (isRemembered(target)) typed.set(target.name, target.value)
  }
  form.addEventListener('input', note)
  return () => form.removeEventListener('input', note)
}

/** What was typed, by field: some values decide which other fields are shown. */
export const typedTexts = (): Readonly<Record<string, string | undefined>> => Object.fromEntries(typed)

export const typedAnswers = (): Answers => answers

export function rememberAnswers(next: Answers): void {
  answers = next
}

/** Forgets all of it: the next person at this device must not see it. */
export function forgetTyped(): void {
  typed.clear()
  answers = {}
}
