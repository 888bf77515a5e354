/** First steps of a new studio: ten steps, computed from what there is (docs/domain.md, "First steps"). */
import * as z from 'zod'
import { classType } from './catalogue.ts'
import { done, endpoint, id, pathId, pesosWire, refusals, singleLine } from './endpoint.ts'
import { settingPair } from './settings.ts'
import { smallJson } from './small-json.ts'

/** The steps in their order, with the title of each in the menu. */
export const ONBOARDING_STEPS = {
  studio: 'Tu estudio',
  location: 'Dónde',
  room: 'Sala',
  class_types: 'Clases',
  coaches: 'Coaches',
  schedule: 'Horario',
  packages: 'Paquetes',
  payments: 'Cobros',
  rules: 'Reglas',
  legal: 'Legales',
} as const
export type OnboardingKey = keyof typeof ONBOARDING_STEPS
export const onboardingKeys = Object.keys(ONBOARDING_STEPS) as [OnboardingKey, ...OnboardingKey[]]

/** What kinds of studio there are proposals for. */
export const GIROS = {
  ciclo: 'Ciclo',
  pilates: 'Pilates',
  barre: 'Barre',
  yoga: 'Yoga',
  box: 'Box',
  funcional: 'Funcional',
  danza: 'Danza',
  otro: 'Otro',
} as const
export type Giro = keyof typeof GIROS
const giro = z.enum(Object.keys(GIROS) as [Giro, ...Giro[]])

/** Limit of what a step saves for later, in bytes: a painted week fits many times. */
export const ONBOARDING_DRAFT_BYTES = 32_768

const key = z.enum(onboardingKeys)

const step = z.object({
  key: key.describe('El paso.'),
  title: z.string(),
  state: z.enum(['pending', 'done', 'skipped']).describe('done: ya está; skipped: se dejó para después; pending: falta.'),
  link: z.string().describe('Dónde se hace.'),
  why: z.string().describe('Para qué sirve, en una oración.'),
  summary: z.string().nullable().describe('Lo que quedó, en pocas palabras; null: todavía nada.'),
  draft: z.json().describe('Lo que se eligió y todavía no es de nadie más; null: nada.'),
})
export type OnboardingStep = z.infer<typeof step>

const counts = { done: z.int().describe('Pasos hechos.'), total: z.int().describe('Pasos en total.') }

/** What the steps created as a proposal, or to try the site. */
const example = z.object({
  entity: z.enum(['class_type', 'class_package', 'page', 'customer']).describe('Qué es.'),
  entity_id: id.describe('Su id.'),
})
export type OnboardingExample = z.infer<typeof example>

const overview = z.object({
  steps: z.array(step).describe('Los pasos, en orden.'),
  ...counts,
  is_open: z.boolean().describe('Si falta algún paso y nadie ha reservado todavía.'),
  has_reservations: z.boolean().describe('Si ya reservó alguien que no es la persona de prueba.'),
  test_customer_id: id.nullable().describe('La persona de prueba, mientras no se quite.'),
  examples: z.int().describe('Lo propuesto que todavía está como se propuso.'),
})
export type Onboarding = z.infer<typeof overview>

const proposal = z.object({
  settings: z.array(settingPair).describe('Ajustes propuestos: zona, textos de la portada.'),
  class_types: z.array(
    classType
      .pick({ name: true, description: true, icon: true, intensity: true, duration_minutes: true })
      .extend({ is_usual: z.boolean().describe('Si casi todos los estudios de este giro la dan.') }),
  ),
  class_packages: z.array(
    z.object({
      title: z.string(),
      short_description: z.string(),
      price: pesosWire,
      class_amount: z.int(),
      expiration_days: z.int(),
      is_trial: z.boolean(),
      is_featured: z.boolean(),
      limit_per_customer: z.int().nullable(),
    }),
  ),
  pages: z.array(z.object({ slug: z.string(), title: z.string(), content: z.string(), required_signup: z.boolean() })),
})
export type OnboardingProposal = z.infer<typeof proposal>

const TAG = 'Primeros pasos'

export const onboarding = {
  /** The steps with their state, computed from the studio's records. */
  read: endpoint('GET', '/admin/onboarding', 'staff:catalogue.edit', TAG, 'Primeros pasos del estudio').output(overview),
  /** Skips a step or takes it up again, and saves what was chosen in it so far; `examples`: records that were created as proposed. */
  update: endpoint('PUT', '/admin/onboarding/{key}', 'staff:catalogue.edit', TAG, 'Saltar un paso, o guardar lo elegido')
    .input(
      z.object({
        key,
        skipped: z.boolean().optional().describe('Si se deja para después.'),
        draft: smallJson('Es demasiado para guardarlo.').optional().describe('Lo elegido hasta ahora; null lo quita.'),
        examples: z.array(example).max(50).optional().describe('Lo que se creó tal como se propuso.'),
      }),
    )
    .errors(refusals('NOT_FOUND'))
    .output(overview),
  /** What a studio of this kind in this city usually has. Writes nothing; what is wanted of it is created with the ordinary endpoints. */
  proposal: endpoint('POST', '/admin/onboarding/proposal', 'staff:catalogue.edit', TAG, 'Propuesta para un giro y una ciudad')
    .input(
      z.object({
        giro: giro.describe('Qué se enseña.'),
        city: singleLine(80).describe('Ciudad del estudio.'),
        business_name: singleLine(80).optional().describe('Nombre del estudio; sin él, el guardado.'),
        legal_name: singleLine(200).optional().describe('Quién responde por los datos personales; sin él, la razón social guardada.'),
        address: singleLine(400).optional().describe('Domicilio para los textos legales; sin él, el del primer estudio.'),
        email: z
          .union([z.literal(''), z.email()])
          .optional()
          .describe('Correo para ejercer derechos sobre los datos; sin él, el de contacto.'),
      }),
    )
    .output(proposal),
  /** Removes examples that were created as proposed and are unchanged and unused. `dry_run` only counts. */
  removeExamples: endpoint('DELETE', '/admin/onboarding/examples', 'staff:catalogue.edit', TAG, 'Borrar lo de ejemplo')
    .input(z.object({ dry_run: z.stringbool().default(false).describe('Solo cuenta.') }))
    .output(
      z.object({
        removed: z.int().describe('Lo que se quita, o se quitaría.'),
        kept: z.array(z.object({ ...example.shape, why: z.string().describe('Por qué se queda.') })).describe('Lo que se queda.'),
      }),
    ),
  /** Takes the test customer off the site: places are freed and the record is erased. NOT_FOUND: there is none. */
  removeTestCustomer: endpoint(
    'DELETE',
    '/admin/onboarding/test_customer/{customer_id}',
    'staff:customers.erase',
    TAG,
    'Quitar a la persona de prueba',
  )
    .input(z.object({ customer_id: pathId }))
    .errors(refusals('NOT_FOUND', 'ERASE_BLOCKED'))
    .output(done),
}
