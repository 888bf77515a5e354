/** Forms and the answers to them (docs/domain.md, "Forms"; spec 2 sections 3 and 5). */
import { isDeepStrictEqual } from 'node:util'
import { asc } from 'drizzle-orm'
import type { Sent } from '#contract/crud.ts'
import { Refusal, type RefusalOf, refuse } from '#contract/errors.ts'
import { type ANSWER_SORTS, ANSWERS_PER_PAGE, type CustomField, type Form, type forms as formCalls } from '#contract/form-endpoints.ts'
import { ADDRESS_FORM_ID, type Answers, answerText, type FieldSource, type FormField, formProblems, isFieldType } from '#contract/forms.ts'
import { pageCount } from '#contract/paging.ts'
import { addDays, startOfDay } from '#contract/time.ts'
import { plainListVerbs } from '#server/modules/crud.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { customerById, missingBasics, requireCustomer } from '#server/modules/people/people.ts'
import type { Reader, Tx } from '#server/platform/db.ts'
import { claimFiles } from './files.ts'
import { storedAnswers, whyNotAddressForm } from './form-rules.ts'
import {
  type AnswerFilter,
  type CustomFieldRow,
  findAnswer,
  findCustomField,
  findForm,
  listAnswers,
  listCustomersWithHealth,
  listCustomFields,
  listFormFields,
  listForms,
  listHealthAnswers,
  replaceFormFields,
  upsertAnswer,
} from './form-store.ts'
import { customField, form } from './tables.ts'

type Json = Parameters<typeof JSON.stringify>[0]

const fieldOut = ({ key, label, type, required, step, order, options, precondition, health }: FormField): FormField => ({
  key,
  label,
  type,
  required,
  step,
  order,
  options,
  precondition,
  ...(health ? { health } : {}),
})

const wired = (field: FormField) => fieldOut(field) as Form['form_fields'][number]
const customOut = (row: CustomFieldRow): CustomField => ({
  custom_field_id: row.custom_field_id,
  object: row.object,
  value: row.value as CustomField['value'],
  ...wired(row),
})

async function formsWith(db: Reader, rows: readonly { form_id: number; name: string }[]): Promise<Form[]> {
  const fields = await listFormFields(
    db,
    rows.map((row) => row.form_id),
  )
  return rows.map(({ form_id, name }) => ({ form_id, name, form_fields: fields.filter((field) => field.form_id === form_id).map(wired) }))
}

/** Every form with its fields in order. */
export async function forms(ctx: Ctx): Promise<{ forms: Form[] }> {
  return { forms: await formsWith(ctx.db, await listForms(ctx.db)) }
}

/** One form. NOT_FOUND. */
export async function oneForm(ctx: Ctx, input: { form_id: number }): Promise<{ form: Form }> {
  return { form: await formOf(ctx.db, input.form_id) }
}

async function formOf(db: Reader, form_id: number): Promise<Form> {
  const row = await findForm(db, form_id)
  const [found] = row ? await formsWith(db, [row]) : []
  if (!found) throw refuse('NOT_FOUND')
  return found
}

interface Basics {
  customer_id: number
  name: string
  last_name: string
  phone: string | null
  email: string | null
}

/** Fields missing from a customer's profile: first the profile's own, then the required ones of the studio's profile form (P10). */
export async function profileLacks(ctx: Ctx, db: Reader, customer: Basics): Promise<{ key: string; label: string }[]> {
  const form_id = ctx.settings.profile_form_id
  const basics = missingBasics(customer)
  if (form_id === null || !(await findForm(db, form_id))) return basics
  const { form, source } = await readForm(db, form_id)
  const row = await findAnswer(db, customer.customer_id, form_id)
  const lacks = formProblems(form.form_fields as FormField[], row?.answers ?? {}, source)
  return [...basics, ...lacks.map(({ key, label }) => ({ key, label }))]
}

/**
 * Why a booking is refused while the studio requires a complete profile (P10): PROFILE_INCOMPLETE lists what is missing. Null = complete.
 */
export async function whyNotProfile(ctx: Ctx, db: Reader, customer_id: number): Promise<RefusalOf<'PROFILE_INCOMPLETE'> | null> {
  if (!ctx.settings.profile_required_to_reserve) return null
  const lacks = await profileLacks(ctx, db, await customerById(db, customer_id))
  return lacks.length ? refuse('PROFILE_INCOMPLETE', { issues: lacks.map(({ key, label }) => ({ path: key, message: label })) }) : null
}

/** A form with everything that its fields refer to, for display and validation (F1). NOT_FOUND. */
export async function getForm(ctx: Ctx, input: { form_id: number }) {
  const { form, source } = await readForm(ctx.db, input.form_id)
  const objects = Object.fromEntries(Object.entries(source.objects).map(([name, fields]) => [name, fields.map(wired)]))
  return { form, source: { address: source.address.map(wired), objects } }
}

async function readForm(db: Reader, form_id: number): Promise<{ form: Form; source: FieldSource }> {
  const form = await formOf(db, form_id)
  const types = [...new Set(form.form_fields.map((field) => field.type))]
  const address = types.includes('address') ? await listFormFields(db, [ADDRESS_FORM_ID]) : []
  const names = types.filter((type) => !isFieldType(type))
  const custom = names.length ? await listCustomFields(db, { objects: names }) : []
  const objects = Object.fromEntries(names.map((name) => [name, custom.filter((field) => field.object === name).map(fieldOut)]))
  return { form, source: { address: address.map(fieldOut), objects } }
}

/** Custom fields of an object, of a type, or all. */
export async function customFields(ctx: Ctx, input: { object?: string | undefined; type?: string | undefined }) {
  const only = {
    ...(input.object === undefined ? {} : { objects: [input.object] }),
    ...(input.type === undefined ? {} : { type: input.type }),
  }
  return { custom_fields: (await listCustomFields(ctx.db, only)).map(customOut) }
}

/** One custom field. NOT_FOUND. */
export async function oneCustomField(ctx: Ctx, input: { custom_field_id: number }): Promise<{ custom_field: CustomField }> {
  const found = await findCustomField(ctx.db, input.custom_field_id)
  if (!found) throw refuse('NOT_FOUND')
  return { custom_field: customOut(found) }
}

interface Answered {
  answers: Record<string, Json>
  updatedAt: string | null
  hidden?: string[]
}

/** Keys of the fields whose answers by this customer the caller may not see: those about health, for staff without the right (F6). */
function hiddenFields(ctx: Ctx, fields: readonly { key: string; health?: boolean | undefined }[], customer_id: number | null): string[] {
  const isOwn = customer_id !== null && ctx.customerOrNull?.customer_id === customer_id
  return isOwn || ctx.may('customers.health') ? [] : fields.filter(({ health }) => health).map(({ key }) => key)
}

const withHidden = (hidden: string[]) => (hidden.length ? { hidden } : {})

/**
 * The caller's answers to a form, or those of the customer that staff name, which is recorded. NOT_FOUND for an unknown form or customer.
 */
export async function getFormAnswers(ctx: Ctx, input: { form_id: number; customer_id?: number | undefined }): Promise<Answered> {
  const { customer_id } = await requireCustomer(ctx, ctx.db, input.customer_id, 'customers.read')
  const [{ form_fields }, row] = await Promise.all([formOf(ctx.db, input.form_id), findAnswer(ctx.db, customer_id, input.form_id)])
  if (row && ctx.staff && ctx.customerOrNull?.customer_id !== customer_id)
    await ctx.tx((tx) =>
      ctx.audit(tx, { action: 'form_answer.read', entity: 'customer', entity_id: customer_id, after: { form_id: input.form_id } }),
    )
  const hidden = hiddenFields(ctx, form_fields, customer_id)
  const shown = form_fields.filter(({ key }) => !hidden.includes(key))
  return { answers: ofFields(row?.answers ?? {}, shown), updatedAt: row?.updatedAt.toISOString() ?? null, ...withHidden(hidden) }
}

/** Answers to current fields; those of removed fields stay in the table. */
function ofFields(answers: Answers, fields: readonly { key: string }[]): Record<string, Json> {
  return Object.fromEntries(fields.flatMap(({ key }) => (Object.hasOwn(answers, key) ? [[key, answers[key]]] : [])))
}

/** Replaces a customer's answers to a form (F2 to F4). NOT_FOUND, FORM_FIELD, FORM_FIELDS, INVALID_INPUT. */
export async function saveFormAnswers(
  ctx: Ctx,
  input: { form_id: number; customer_id?: number | undefined; answers: Answers },
): Promise<Answered> {
  return ctx.tx(async (tx) => {
    const { customer_id } = await requireCustomer(ctx, tx, input.customer_id, 'customers.edit')
    const { form_fields } = await formOf(tx, input.form_id)
    const hidden = hiddenFields(ctx, form_fields, customer_id)
    if (hidden.length === 0) return storeAnswers(ctx, tx, { ...input, customer_id })
    // Answers that the caller cannot see stay unchanged.
    const before = (await findAnswer(tx, customer_id, input.form_id))?.answers ?? {}
    const isHidden = ([key]: [string, unknown]) => hidden.includes(key)
    const answers = Object.fromEntries([
      ...Object.entries(input.answers).filter((entry) => !isHidden(entry)),
      ...Object.entries(before).filter(isHidden),
    ])
    const saved = await storeAnswers(ctx, tx, { ...input, customer_id, answers })
    return {
      ...saved,
      answers: Object.fromEntries(Object.entries(saved.answers).filter((entry) => !isHidden(entry))),
      ...withHidden(hidden),
    }
  })
}

/** Replaces the answers inside the caller's transaction (used by sign-up). */
export async function storeAnswers(ctx: Ctx, tx: Tx, input: { form_id: number; customer_id: number; answers: Answers }): Promise<Answered> {
  const { form, source } = await readForm(tx, input.form_id)
  const stored = storedAnswers(form.form_fields as FormField[], input.answers, source)
  if (stored instanceof Refusal) throw stored
  await claimFiles(ctx, tx, stored.file_ids, input.customer_id)
  const { customer_id, form_id } = input
  const before = ctx.staff ? await findAnswer(tx, customer_id, form_id) : null
  const row = await upsertAnswer(tx, { customer_id, form_id, answers: stored.answers, createdAt: ctx.now, updatedAt: ctx.now })
  if (ctx.staff && ctx.customerOrNull?.customer_id !== customer_id) {
    const was = before?.answers ?? {}
    const fields = [...new Set([...Object.keys(was), ...Object.keys(row.answers)])].filter(
      (key) => !isDeepStrictEqual(was[key], row.answers[key]),
    )
    // Answers may be health data: the audit trail names the fields only.
    await ctx.audit(tx, {
      action: 'form_answer.change',
      entity: 'customer',
      entity_id: customer_id,
      after: { form_id, fields: fields.sort() },
    })
  }
  return { answers: row.answers, updatedAt: row.updatedAt.toISOString() }
}

/**
 * Which of these customers have answers about their health, for staff with `customers.health`; none for others (F8). The answers themselves
 * are read in the form, which is recorded.
 */
export const customersWithHealth = async (ctx: Ctx, customer_ids: readonly number[]): Promise<ReadonlySet<number>> =>
  new Set(ctx.may('customers.health') ? await listCustomersWithHealth(ctx.db, customer_ids) : [])

/** What a customer said about their health in all forms, for staff with `customers.health`; the reading is recorded (F6). FORBIDDEN. */
export async function healthAnswers(ctx: Ctx, customer_id: number): Promise<{ label: string; answer: string }[]> {
  ctx.require('customers.health')
  const answers = await listHealthAnswers(ctx.db, customer_id)
  const form_ids = [...new Set(answers.map(({ form_id }) => form_id))]
  if (form_ids.length > 0)
    await ctx.tx(async (tx) => {
      for (const form_id of form_ids)
        await ctx.audit(tx, { action: 'form_answer.read', entity: 'customer', entity_id: customer_id, after: { form_id } })
    })
  return answers.map(({ label, type, options, value }) => ({ label, answer: answerText({ type, options }, value) }))
}

interface AnswersInput extends AnswerFilter {
  form_id: number
  sort: (typeof ANSWER_SORTS)[number]
  from?: string | undefined
  to?: string | undefined
}

/** A page of the answers to a form, without those about health for staff who may not see them (F6). NOT_FOUND, FORBIDDEN. */
export async function pageOfAnswers(
  ctx: Ctx,
  { form_id, from, to, sort, ...filter }: AnswersInput,
  page: { number: number; size: number },
) {
  const { form_fields } = await formOf(ctx.db, form_id)
  const hidden = hiddenFields(ctx, form_fields, null)
  if (filter.key !== undefined && hidden.includes(filter.key)) ctx.require('customers.health')
  const since = from === undefined ? undefined : startOfDay(from, ctx.zone)
  const until = to === undefined ? undefined : startOfDay(addDays(to, 1), ctx.zone)
  const { rows, total } = await listAnswers(ctx.db, form_id, { ...filter, since, until }, page, sort)
  const shown = form_fields.filter(({ key }) => !hidden.includes(key))
  const answers = rows.map(({ customer_id, name, last_name, row }) => ({
    customer_id,
    name,
    last_name,
    answers: ofFields(row.answers, shown),
    updatedAt: row.updatedAt.toISOString(),
  }))
  return { answers, fields: shown, hidden, total }
}

/** GET /admin/forms/{form_id}/answers. NOT_FOUND, FORBIDDEN. Reading them is recorded in the audit trail. */
export async function answersToForm(ctx: Ctx, { page, ...input }: AnswersInput & { page: number }) {
  const { answers, hidden, total } = await pageOfAnswers(ctx, input, { number: page, size: ANSWERS_PER_PAGE })
  if (answers.length > 0)
    await ctx.tx((tx) => ctx.audit(tx, { action: 'form_answer.list', entity: 'form', entity_id: input.form_id, after: { page } }))
  return { answers, hidden, total, pages: pageCount(total, ANSWERS_PER_PAGE) }
}

/**
 * Forms with their fields, as staff manage them. The address form keeps its purpose (F5); a form in use at sign-up or in the profile cannot
 * be removed.
 */
export const formList = plainListVerbs({
  table: form,
  id: 'form_id',
  topic: 'content',
  order: [asc(form.form_id)],
  shown: async (row, ctx) => {
    const [shown] = await formsWith(ctx.db, [row])
    if (!shown) throw new Error('A form was written and is not there.')
    return { ...shown, updatedAt: row.updatedAt.toISOString() }
  },
  values({ name, form_fields }: Sent<typeof formCalls.admin.forms>, before, ctx) {
    // A new form has a name, fields, or both.
    if (!before && name === undefined && form_fields === undefined)
      throw refuse('INVALID_INPUT', { issues: [{ path: 'name', message: 'Debes llenar este campo.' }] })
    return { name: name ?? (before ? undefined : 'Formulario'), updatedAt: ctx.now, ...(before ? {} : { createdAt: ctx.now }) }
  },
  async after(tx, { form_id }, { form_fields }) {
    if (form_fields)
      await replaceFormFields(
        tx,
        form_id,
        form_fields.map((field, at) => ({ ...field, order: field.order ?? at, form_id })),
      )
  },
  whyNotSave: ({ form_id }, { form_fields }) => (form_id === ADDRESS_FORM_ID && form_fields ? whyNotAddressForm(form_fields) : null),
  whyNotRemove({ form_id }, _tx, { settings }) {
    if (form_id === ADDRESS_FORM_ID) return refuse('PROTECTED')
    const count = [settings.signup_form_id, settings.profile_form_id].filter((used) => used === form_id).length
    return count > 0 ? refuse('IN_USE', { uses: [{ kind: 'setting', count }] }) : null
  },
})

/** Custom fields, as staff manage them. */
export const customFieldList = plainListVerbs({
  table: customField,
  id: 'custom_field_id',
  topic: 'content',
  order: [asc(customField.object), asc(customField.step), asc(customField.order), asc(customField.key)],
  shown: (row) => ({ ...customOut(row), updatedAt: row.updatedAt.toISOString() }),
  values: (sent: Sent<typeof formCalls.admin.customFields>, before) => ({
    object: sent.object,
    key: sent.key,
    label: sent.label ?? (before ? undefined : sent.key),
    type: sent.type,
    required: sent.required,
    step: sent.step,
    order: sent.order,
    options: sent.options,
    precondition: sent.precondition,
    value: sent.value,
  }),
})
