/** Forms, their fields, custom fields and answers on the wire (spec 2 sections 3 and 7). The rules are in forms.ts. */
import * as z from 'zod'
import { crud, versioned } from './crud.ts'
import { endpoint, id, localDay, pageNumber, pathId, refusals, singleLine } from './endpoint.ts'
import { isFieldType } from './forms.ts'
import { isSmall, smallJson } from './small-json.ts'

const scalar = z.union([z.string().max(200), z.number(), z.boolean()])

/** The key of a field and the name of an object: valid as a key of JSON and of a form. */
const formKey = z.string().regex(/^[A-Za-z][A-Za-z0-9_-]{0,59}$/, 'Usa letras sin acentos, números, guion y guion bajo.')

const option = z.union([
  z.object({ value: scalar, label: singleLine(200) }),
  // A plain text is its own label.
  z
    .string()
    .trim()
    .min(1)
    .max(200)
    .transform((text) => ({ value: text, label: text })),
])
const precondition = z.object({ key: formKey, value: z.union([scalar, z.array(scalar).min(1).max(50)]).optional() })

const asking = {
  key: formKey,
  label: singleLine(200).min(1),
  /** One of the types of the spec, or the name of an object with custom fields (S2-5.27, S2-5.25). */
  type: formKey.refine((type) => isFieldType(type) || !/^(string|object|array|null|constructor|__proto__)$/.test(type)),
  required: z.boolean().default(false),
  step: z.int().min(1).max(50).default(1),
  /** Default: the field's position in the list. */
  order: z.int().min(0).max(1_000).optional(),
  options: z.array(option).max(200).default([]),
  precondition: precondition.nullish().transform((value) => value ?? null),
  health: z.boolean().default(false).describe('Si su respuesta es de salud: solo la ve quien tiene ese permiso.'),
}

const fieldShape = {
  key: z.string(),
  label: z.string(),
  type: z.string(),
  required: z.boolean(),
  step: z.int(),
  order: z.int(),
  options: z.array(z.object({ value: scalar, label: z.string() })),
  precondition: z.object({ key: z.string(), value: z.json().optional() }).nullable(),
  health: z.boolean().optional().describe('Su respuesta es de salud: solo la ve quien tiene ese permiso. Falta en las demás.'),
}

export const formField = z.object(fieldShape)
export const form = z.object({ form_id: id, name: z.string(), form_fields: z.array(formField) })
export type Form = z.infer<typeof form>

export const customField = z.object({ custom_field_id: id, object: z.string(), value: z.json(), ...fieldShape })
export type CustomField = z.infer<typeof customField>

const customFields = z.object({ custom_fields: z.array(customField) })

/** Answers by the keys of the form's fields. The server validates each by its field's type. */
export const answers = z
  .record(z.string().max(60), smallJson('Esta respuesta es demasiado grande.'))
  .refine(
    (value) => Object.keys(value).length <= 200 && isSmall(value) && JSON.stringify(value).length <= 60_000,
    'Son demasiadas respuestas.',
  )

const answered = z.object({
  answers: z.record(z.string(), z.json()),
  updatedAt: z.string().nullable(),
  hidden: z
    .array(z.string())
    .optional()
    .describe('Claves de los campos de salud cuya respuesta quien pregunta no puede ver. Falta cuando puede.'),
})

/** The orders of the answers to a form. */
export const ANSWER_SORTS = ['answered', '-answered', 'name', '-name'] as const

/** Filters and order of the answers to a form; their file takes the same. */
export const answerFilter = {
  form_id: pathId,
  query: singleLine(100).optional().describe('Palabras del nombre, correo o teléfono.'),
  from: localDay.optional().describe('Respondidas desde este día.'),
  to: localDay.optional().describe('Respondidas hasta este día.'),
  key: formKey.optional().describe('Solo las que respondieron este campo; con `value`, con esa respuesta.'),
  sort: z.enum(ANSWER_SORTS).default('-answered').describe('El orden: por fecha de respuesta o nombre; con `-`, al revés.'),
  value: singleLine(200).optional().describe('La respuesta al campo `key`, como texto: `true` y `false` para sí y no.'),
}

/** Answers per page. */
export const ANSWERS_PER_PAGE = 50

const givenAnswers = z.object({
  customer_id: id,
  name: z.string(),
  last_name: z.string(),
  answers: z.record(z.string(), z.json()),
  updatedAt: z.string(),
})
export type GivenAnswers = z.infer<typeof givenAnswers>

export const forms = {
  list: endpoint('GET', '/forms', 'public', 'Formularios', 'Formularios').output(z.object({ forms: z.array(form) })),
  one: endpoint('GET', '/forms/{form_id}', 'public', 'Formularios', 'Un formulario')
    .input(z.object({ form_id: pathId }))
    .errors(refusals('NOT_FOUND'))
    .output(z.object({ form })),
  /** What is needed to show and validate a form: its fields in order, those of form 6 and the custom fields of each object it refers to. */
  shown: endpoint('GET', '/forms/{form_id}/fields', 'public', 'Formularios', 'Un formulario con los campos a los que se refiere')
    .input(z.object({ form_id: pathId }))
    .errors(refusals('NOT_FOUND'))
    .output(z.object({ form, source: z.object({ address: z.array(formField), objects: z.record(z.string(), z.array(formField)) }) })),
  /** The caller's answers, or a customer's for staff; empty when there are none. */
  answers: endpoint('GET', '/forms/{form_id}/answers', 'identity', 'Formularios', 'Respuestas a un formulario')
    .input(z.object({ form_id: pathId, customer_id: pathId.optional() }))
    .errors(refusals('NOT_FOUND', 'NO_CUSTOMER'))
    .output(answered),
  /** Replaces the caller's answers. FORM_FIELD or FORM_FIELDS; `data.issues` has a message per field. */
  answer: endpoint('PUT', '/forms/{form_id}/answers', 'identity', 'Formularios', 'Responder un formulario')
    .input(z.object({ form_id: pathId, customer_id: id.optional(), answers }))
    .errors(refusals('NOT_FOUND', 'NO_CUSTOMER', 'FORM_FIELD', 'FORM_FIELDS'))
    .output(answered),

  /** Custom fields, of one object or of all (S2-7.56, S2-7.58). */
  customFields: endpoint('GET', '/custom_fields', 'public', 'Formularios', 'Campos personalizados')
    .input(z.object({ object: formKey.optional(), type: formKey.optional() }))
    .output(customFields),
  customFieldsOf: endpoint('GET', '/custom_fields/object/{object}', 'public', 'Formularios', 'Campos personalizados de un objeto')
    .input(z.object({ object: formKey }))
    .output(customFields),
  customField: endpoint('GET', '/custom_fields/{custom_field_id}', 'public', 'Formularios', 'Un campo personalizado')
    .input(z.object({ custom_field_id: pathId }))
    .errors(refusals('NOT_FOUND'))
    .output(z.object({ custom_field: customField })),

  admin: {
    /**
     * The answers to a form with their customers, latest first unless `sort` says otherwise. Answers about health only for staff with
     * `customers.health`: `hidden` names the fields without them, and a filter by one is FORBIDDEN. Each reading is recorded.
     */
    answers: endpoint(
      'GET',
      '/admin/forms/{form_id}/answers',
      'staff:customers.read',
      'Formularios',
      'Todas las respuestas a un formulario',
    )
      .input(z.object({ ...answerFilter, page: pageNumber.default(1) }))
      .errors(refusals('NOT_FOUND'))
      .output(
        z.object({
          answers: z.array(givenAnswers).describe('Lo que respondió cada quien.'),
          hidden: z.array(z.string()).describe('Claves de los campos de salud que quien pregunta no puede ver.'),
          total: z.int(),
          pages: z.int(),
        }),
      ),
    /** Form 6 is the address form: it cannot be deleted, nor its city, state and country (PROTECTED). */
    forms: crud({
      path: '/forms',
      one: 'form',
      many: 'forms',
      id: 'form_id',
      tag: 'Formularios',
      called: 'formularios',
      access: 'staff:content.edit',
      fields: {
        ...versioned.sent,
        name: singleLine(120).min(1).optional().describe('Nombre para el equipo. Sin él, un formulario nuevo se llama «Formulario».'),
        form_fields: z
          .array(z.object(asking))
          .max(200)
          .superRefine((fields, context) => {
            const keys = new Set<string>()
            for (const [at, field] of fields.entries()) {
              if (keys.has(field.key)) context.addIssue({ code: 'custom', path: [at, 'key'], message: 'Esta clave está repetida.' })
              keys.add(field.key)
            }
            for (const [at, field] of fields.entries())
              if (field.precondition && (field.precondition.key === field.key || !keys.has(field.precondition.key)))
                context.addIssue({
                  code: 'custom',
                  path: [at, 'precondition'],
                  message: 'La condición debe ser sobre otro campo de este formulario.',
                })
          })
          .optional(),
      },
      row: { ...form.omit({ form_id: true }).shape, ...versioned.row },
    }),
    customFields: crud({
      path: '/custom_fields',
      one: 'custom_field',
      many: 'custom_fields',
      id: 'custom_field_id',
      tag: 'Formularios',
      called: 'campos personalizados',
      access: 'staff:content.edit',
      fields: {
        ...versioned.sent,
        object: formKey.refine((name) => !isFieldType(name), 'Ese nombre es un tipo de campo.'),
        key: formKey,
        label: singleLine(200).min(1).optional(),
        type: formKey
          .refine(isFieldType, 'Ese tipo de campo no existe.')
          .refine((type) => type !== 'address', 'Una dirección no cabe en un campo personalizado.'),
        required: z.boolean().optional(),
        step: z.int().min(1).max(50).optional(),
        order: z.int().min(0).max(1_000).optional(),
        options: z.array(option).max(200).optional(),
        precondition: precondition.nullish(),
        /** The field's initial value. */
        value: smallJson('Esta respuesta es demasiado grande.').optional(),
      },
      row: { ...customField.omit({ custom_field_id: true }).shape, ...versioned.row },
    }),
  },
}
