/**
 * Forms: native inputs read through FormData, checked before sending, failures shown at their fields (spec 2 section 5).
 * Kept small because public pages load it.
 */
import { type FormEvent, useRef, useState } from 'react'
import { checkField, validation } from '#contract/copy/messages.ts'
import { PHONE_PATTERN } from '#contract/phone.ts'
import { showAlert } from './alerts.ts'
import { type ErrorDisplay, showInForm } from './errors.ts'

export type Values = Readonly<Record<string, string>>

export interface Field {
  /** The field's label in Spanish, for 'Revisa el campo: {label}'. */
  label: string
  /** Returns the problem of the value in Spanish, or null. */
  check?: (value: string, values: Values) => string | null
}

/** The problems by field name; empty when the values are valid. */
export function checkValues(fields: Readonly<Record<string, Field>>, values: Values): Record<string, string> {
  const wrong: Record<string, string> = {}
  for (const [name, field] of Object.entries(fields)) {
    const problem = field.check?.(values[name] ?? '', values) ?? null
    if (problem) wrong[name] = problem
  }
  return wrong
}

/** The sentence above a form: the invalid field, or that there are several. */
export function summary(fields: Readonly<Record<string, Field>>, wrong: Readonly<Record<string, string>>): string | null {
  const names = Object.keys(wrong)
  const [only] = names
  if (only === undefined) return null
  return names.length === 1 ? checkField(fields[only]?.label ?? only) : validation.severalInvalid
}

/** Checks that a field is not empty. */
export const checkFilled = (value: string): string | null => (value.trim() ? null : validation.fillField)

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

/** The problem of an email address in Spanish, or null. */
export const emailProblem = (value: string): string | null =>
  checkFilled(value) ?? (EMAIL.test(value.trim()) ? null : 'Escribe un correo válido.')

/** The problem of an email that may be left out. */
export const optionalEmailProblem = (value: string): string | null => (value.trim() === '' ? null : emailProblem(value))

/** The problem of a telephone number in Spanish, or null: ten digits, which is all that the field lets through (S1-2.99). */
export const phoneProblem = (value: string): string | null =>
  checkFilled(value) ?? (value.length === 10 && PHONE_PATTERN.test(value) ? null : validation.phone)

interface Options {
  fields: Readonly<Record<string, Field>>
  submit: (values: Values, form: HTMLFormElement) => Promise<void>
  /** Called with the target of a failure that redirects; without it, the failure's sentence is shown on the form. */
  redirect?: (to: string) => void
}

/** State and handlers of a form: `<form noValidate onSubmit={form.onSubmit} onInput={form.onInput}>`. */
export function useForm({ fields, submit, redirect }: Options) {
  const [wrong, setWrong] = useState<Readonly<Record<string, string>>>({})
  const [message, setMessage] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const running = useRef(false)

  function focusFirst(form: HTMLFormElement, problems: Readonly<Record<string, string>>) {
    for (const element of form.elements)
      if (element instanceof HTMLElement && problems[element.getAttribute('name') ?? '']) {
        element.focus()
        return
      }
  }

  function showError(form: HTMLFormElement, shown: ErrorDisplay) {
    if (shown.as === 'redirect' && redirect) redirect(shown.to)
    else if (shown.as === 'alert') showAlert('alert', shown.message)
    else if (shown.as === 'field') {
      // A field that this form does not have: show its sentence above the form.
      const known = Object.keys(shown.fields).some((name) => name in fields)
      setWrong(shown.fields)
      setMessage(known ? summary(fields, shown.fields) : shown.message)
      focusFirst(form, shown.fields)
    } else if (shown.as !== 'silence') setMessage(shown.message)
  }

  async function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    if (running.current) return
    const values: Record<string, string> = {}
    for (const [name, value] of new FormData(form)) if (typeof value === 'string') values[name] = value
    const problems = checkValues(fields, values)
    setWrong(problems)
    setMessage(summary(fields, problems))
    if (Object.keys(problems).length) return focusFirst(form, problems)
    running.current = true
    setBusy(true)
    try {
      await submit(values, form)
    } catch (error) {
      showError(form, showInForm(error))
    } finally {
      running.current = false
      setBusy(false)
    }
  }

  /** Typing in a field removes its error. */
  function onInput(event: FormEvent<HTMLFormElement>) {
    const name = event.target instanceof HTMLElement ? event.target.getAttribute('name') : null
    if (!name || !wrong[name]) return
    const { [name]: _fixed, ...rest } = wrong
    setWrong(rest)
    setMessage(summary(fields, rest))
  }

  return { errors: wrong, message, busy, onSubmit, onInput, setMessage }
}
