/**
 * Imports from another system: customers with their credits, coaches, the schedule, reservations, notes, past purchases, subscriptions
 * (docs/domain.md, "Imports").
 */
import * as z from 'zod'
import { done, endpoint, id, instant, numberBetween, pageNumber, pathId, pesosWire, refusals, singleLine } from './endpoint.ts'

/** Where files come from, in the order of the screen. */
export const importSources = {
  mindbody: 'Mindbody',
  fitco: 'Fitco',
  teamup: 'TeamUp',
  glofox: 'Glofox',
  momence: 'Momence',
  arketa: 'Arketa',
  estudio: 'Estudio',
  other: 'Excel o CSV',
} as const
export type ImportSource = keyof typeof importSources

/** What the rows of a file are, in the order in which a studio imports them. */
export const importKinds = {
  customers: 'Clientes y sus clases por usar',
  coaches: 'Coaches',
  classes: 'Clases del horario',
  reservations: 'Reservaciones',
  notes: 'Notas y etiquetas',
  purchases: 'Historial de compras',
  subscriptions: 'Suscripciones por activar',
} as const
export type ImportKind = keyof typeof importKinds

/** What a column can be. */
export const importFields = {
  external_ref: 'Número en el origen',
  full_name: 'Nombre completo',
  name: 'Nombre',
  last_name: 'Apellidos',
  email: 'Correo',
  phone: 'Teléfono',
  birthdate: 'Fecha de nacimiento',
  promotions_on: 'Aceptó promociones el',
  whatsapp_on: 'Aceptó WhatsApp el',
  created_on: 'Alta',
  visits: 'Visitas',
  last_visit: 'Última visita',
  package: 'Paquete',
  credits: 'Clases por usar',
  expires: 'Vencimiento',
  frozen: 'Congelado desde',
  customer_ref: 'Número del cliente',
  class_ref: 'Número de la clase',
  class_type: 'Tipo de clase',
  instructor: 'Coach',
  location: 'Estudio',
  timezone: 'Zona horaria',
  room: 'Sala',
  date: 'Fecha',
  time: 'Hora',
  ends: 'Termina',
  minutes: 'Minutos',
  capacity: 'Lugares',
  spot: 'Lugar',
  spot_map: 'Mapa de lugares',
  guest: 'Invitado',
  guest_spot: 'Lugar del invitado',
  status: 'Asistencia',
  note: 'Nota',
  tags: 'Etiquetas',
  amount: 'Monto',
  way: 'Forma de pago',
  next_charge: 'Próximo cobro',
  nick_name: 'Apodo',
  instagram: 'Instagram',
  short_bio: 'Biografía',
  specialties: 'Especialidades',
} as const
export type ImportField = keyof typeof importFields

const PERSON = ['customer_ref', 'full_name', 'name', 'last_name', 'email', 'phone'] as const
/** The fields that a file of each kind may have. */
export const fieldsOfKind: Readonly<Record<ImportKind, readonly ImportField[]>> = {
  customers: [
    ...(['external_ref', 'full_name', 'name', 'last_name', 'email', 'phone', 'birthdate', 'promotions_on', 'whatsapp_on'] as const),
    ...(['created_on', 'visits', 'last_visit', 'package', 'credits', 'expires', 'frozen'] as const),
  ],
  coaches: [
    ...(['external_ref', 'full_name', 'name', 'last_name', 'nick_name', 'birthdate', 'instagram', 'short_bio', 'specialties'] as const),
  ],
  classes: [
    ...([
      'external_ref',
      'class_type',
      'instructor',
      'location',
      'timezone',
      'room',
      'date',
      'time',
      'ends',
      'minutes',
      'capacity',
    ] as const),
    'spot_map',
  ],
  reservations: [
    ...(['external_ref', ...PERSON, 'class_ref', 'class_type', 'location', 'date', 'time', 'spot', 'guest', 'guest_spot'] as const),
    ...(['status', 'package', 'expires'] as const),
  ],
  notes: ['external_ref', ...PERSON, 'date', 'note', 'tags'],
  purchases: ['external_ref', ...PERSON, 'date', 'package', 'amount', 'way'],
  subscriptions: ['external_ref', ...PERSON, 'package', 'next_charge', 'amount'],
}
/** The fields whose values are days. */
export const importDates: ReadonlySet<ImportField> = new Set<ImportField>([
  'birthdate',
  'expires',
  'frozen',
  'date',
  'promotions_on',
  'whatsapp_on',
  'next_charge',
  'created_on',
  'last_visit',
])
/** What is compared of a customer and a row about the same person, and may be kept from either. */
export const COMPARED_FIELDS = ['email', 'phone', 'birthdate'] as const
export type ComparedField = (typeof COMPARED_FIELDS)[number]
export const importField = z.enum(Object.keys(importFields) as [ImportField, ...ImportField[]])

export const IMPORT_MAX_BYTES = 10 * 1024 * 1024
export const IMPORT_MAX_ROWS = 20_000
/** Files of one import. */
export const IMPORT_MAX_FILES = 10
export const IMPORT_ROWS_PER_PAGE = 50
export const IMPORT_UNDO_DAYS = 7
/** People that are invited in one wave. */
const IMPORT_MAX_WAVE = 500
/** How long an import that was not run is stored, in days. */
export const IMPORT_DRAFT_DAYS = 30

/** What would become, or became, of a row. */
export const importRowState = z.enum(['new', 'update', 'same', 'duplicate', 'error', 'skipped', 'done', 'failed', 'undone', 'stayed'])
export type ImportRowState = z.infer<typeof importRowState>

const source = z.enum(Object.keys(importSources) as [ImportSource, ...ImportSource[]]).describe('De qué sistema viene.')
const kind = z.enum(Object.keys(importKinds) as [ImportKind, ...ImportKind[]]).describe('Qué trae cada renglón.')
export const dateOrder = z.enum(['dmy', 'mdy'])
export type DateOrder = z.infer<typeof dateOrder>

const column = z.object({
  index: z.int().describe('Su lugar en el archivo, desde 0.'),
  name: z.string().describe('Su encabezado.'),
  samples: z.array(z.string()).describe('Algunos valores.'),
  empty: z.int().describe('Cuántos renglones no traen nada.'),
  field: importField.nullable().describe('Qué es; null: no se importa.'),
  locked: z.boolean().describe('Trae tarjetas o contraseñas: nunca se importa.'),
})

const packageChoice = z.object({
  name: z.string().describe('Cómo se llama en el archivo.'),
  rows: z.int().describe('Cuántos renglones lo traen.'),
  class_package_id: id.nullable().describe('El paquete del estudio; null: sus clases valen para todo.'),
  skip: z.boolean().describe('No dar sus clases, o no traer sus compras o suscripciones.'),
})

const counts = z.partialRecord(importRowState, z.int())

const importView = z.object({
  import_id: id,
  source,
  kind,
  state: z.enum(['draft', 'running', 'done', 'undoing', 'undone']).describe('En preparación, en curso, hecha, deshaciéndose o deshecha.'),
  file_name: z.string().nullable().describe('El archivo; null: falta subirlo.'),
  file_note: z.string().nullable().describe('Cómo se leyó.'),
  columns: z.array(column).describe('Las columnas.'),
  date_order: dateOrder.describe('Qué va primero en las fechas: el día o el mes.'),
  date_question: z
    .object({ rows: z.int().describe('En cuántos renglones las dos formas son posibles.'), sample: z.string().describe('Una de ellas.') })
    .nullable()
    .describe('Falta decir qué va primero en las fechas; null: se sabe.'),
  packages: z.array(packageChoice).describe('Los paquetes del archivo.'),
  counts: counts.describe('Cuántos renglones hay de cada estado.'),
  total: z.int().describe('Cuántos renglones trae el archivo.'),
  people: z.int().describe('Cuántos renglones se importan: personas, clases, reservaciones, notas, compras o suscripciones.'),
  credits: z.int().describe('Cuántas clases se importan.'),
  value: pesosWire.describe(
    'Lo que cuestan esas clases a los precios de sus paquetes, en pesos; sin las ilimitadas ni las que valen para todo.',
  ),
  progress: z.int().describe('Cuántos renglones se han hecho.'),
  remember: z.boolean().describe('Si sus columnas y paquetes se recuerdan, al importar, para el próximo archivo de este origen.'),
  undo_until: instant.nullable().describe('Hasta cuándo se puede deshacer; null: ya no o todavía no.'),
  createdAt: instant,
  created_by: z.string().describe('Quién la hizo.'),
})
export type ImportView = z.infer<typeof importView>

const person = z.object({
  name: z.string(),
  last_name: z.string(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  birthdate: z.string().nullable(),
  promotions_on: z.string().nullable().describe('Día en que aceptó promociones; null: no se sabe que las haya aceptado.'),
  whatsapp_on: z.string().nullable().describe('Día en que aceptó WhatsApp; null: no se sabe que lo haya aceptado.'),
  created_on: z.string().nullable().describe('Día en que se dio de alta; null: no se sabe.'),
  visits: z.int().describe('Cuántas veces había venido.'),
  last_visit: z.string().nullable().describe('Día en que vino por última vez; null: no se sabe.'),
  package: z.string().nullable().describe('Su paquete en el origen.'),
  credits: z.int().describe('Clases por usar; -1: ilimitadas.'),
  expires_on: z.string().nullable().describe('Último día de sus clases.'),
  frozen_on: z.string().nullable().describe('Día desde el que están congeladas; null: no lo están.'),
})

/** Which of two values stays: the one here, or the one in the file. */
const choices = z.partialRecord(z.enum(COMPARED_FIELDS), z.enum(['ours', 'file']))
export type ImportChoices = z.infer<typeof choices>

const ours = z.object({
  email: z.string().nullable(),
  phone: z.string().nullable(),
  birthdate: z.string().nullable(),
  has_account: z.boolean().describe('Si entra con su correo, que solo cambia esa persona.'),
  credits: z.int().describe('Clases por usar.'),
  has_unlimited: z.boolean().describe('Si tiene clases ilimitadas.'),
  createdAt: instant,
  taken: z.array(z.enum(COMPARED_FIELDS)).describe('Los datos del archivo que ya tiene otra persona, y no se pueden usar.'),
})

const row = z.object({
  n: z.int().describe('Renglón del archivo.'),
  state: importRowState.describe('Qué pasa con él.'),
  person: person.nullable().describe('La persona que se importa; null: no es un archivo de clientes, o no se pudo leer.'),
  title: z.string().describe('Qué se importa, en pocas palabras.'),
  facts: z.array(z.string()).describe('Sus datos, como se leyeron.'),
  values: z.record(z.string(), z.string()).describe('Lo que dice el archivo, con lo corregido, por campo.'),
  issues: z
    .array(
      z.object({
        field: z.string().describe('El campo.'),
        message: z.string().describe('Qué pasa.'),
        suggestion: z.string().nullable().describe('Un valor que sí sirve; null: no se sabe.'),
      }),
    )
    .describe('Lo que hay que corregir o saber.'),
  match: z
    .object({
      customer_id: id.nullable(),
      row: z.int().nullable().describe('Otro renglón del archivo.'),
      name: z.string(),
      why: z.string().describe('En qué coinciden.'),
      ours: ours.nullable().describe('Cómo está en el estudio; null: es otro renglón, o la importación ya se hizo.'),
    })
    .nullable()
    .describe('De quién parece duplicado; null: de nadie.'),
  adds: z.array(importField).describe('Lo que el renglón completa de quien ya está; vacío: nada.'),
  alike: z.int().describe('Cuántos otros renglones esperan lo mismo: la misma corrección o la misma decisión.'),
  decision: z.enum(['merge', 'new', 'skip']).nullable().describe('Lo que se decidió: combinar, es otra persona, u omitir.'),
  choices: choices.describe(
    'Lo que se eligió: el dato del estudio (ours) o el del archivo (file); sin elegir, el archivo solo llena lo vacío.',
  ),
  customer_id: id.nullable().describe('El cliente que quedó; null: ninguno todavía.'),
})
export type ImportRow = z.infer<typeof row>

const importPath = z.object({ import_id: pathId })
const ACCESS = 'staff:data.import'
const TAG = 'Importar'
const answer = importView

export const imports = {
  /** Imports, newest first, without their columns. */
  list: endpoint('GET', '/admin/imports', ACCESS, TAG, 'Importaciones').output(
    z.object({
      imports: z
        .array(
          importView.pick({
            import_id: true,
            source: true,
            kind: true,
            state: true,
            file_name: true,
            total: true,
            progress: true,
            undo_until: true,
            createdAt: true,
            created_by: true,
          }),
        )
        .describe('Las importaciones.'),
    }),
  ),
  /** Begins an import; the file follows. */
  create: endpoint('POST', '/admin/imports', ACCESS, TAG, 'Empezar una importación')
    .input(z.object({ source, kind: kind.default('customers') }))
    .output(answer),
  /**
   * Reads CSV (UTF-8 or Windows-1252; `,` `;` or tab) or Excel files, up to 10 MB and 20,000 rows together, and guesses their columns;
   * columns with the same name are one. Nothing is written to customers. IMPORT_FILE, with the reason, when a file cannot be read.
   */
  file: endpoint('POST', '/admin/imports/{import_id}/file', ACCESS, TAG, 'Subir el archivo de una importación')
    .input(
      z.object({
        import_id: pathId,
        file: z.file().describe('El archivo.'),
        more: z
          .array(z.file())
          .max(IMPORT_MAX_FILES - 1)
          .optional()
          .describe('Otros archivos, cuyos renglones siguen a los del primero.'),
      }),
    )
    .errors(refusals('NOT_FOUND', 'IMPORT_FILE', 'IMPORT_STATE', 'FILE_TOO_LARGE'))
    .output(answer),
  read: endpoint('GET', '/admin/imports/{import_id}', ACCESS, TAG, 'Una importación')
    .input(importPath)
    .errors(refusals('NOT_FOUND'))
    .output(answer),
  /**
   * Sets what each column is, the order of dates, and which package each name is; then every row is checked again. When the import is run,
   * they are remembered for the source unless `remember` is false.
   */
  map: endpoint('PUT', '/admin/imports/{import_id}/mapping', ACCESS, TAG, 'Decir qué es cada columna')
    .input(
      z.object({
        import_id: pathId,
        columns: z
          .array(
            z.object({
              index: z.int().min(0).max(200).describe('Su lugar en el archivo, desde 0.'),
              field: importField.nullable().describe('Qué es; null: no se importa.'),
            }),
          )
          .max(200)
          .optional()
          .describe('Las columnas que cambian.'),
        date_order: dateOrder.optional().describe('Qué va primero en las fechas: el día o el mes.'),
        packages: z
          .array(packageChoice.pick({ name: true, class_package_id: true, skip: true }))
          .max(500)
          .optional()
          .describe('Qué paquete es cada uno.'),
        remember: z
          .boolean()
          .optional()
          .describe('Recordar columnas y paquetes, al importar, para el próximo archivo de este origen; sin decirlo, como estaba.'),
      }),
    )
    .errors(refusals('NOT_FOUND', 'IMPORT_STATE', 'IMPORT_MAPPING'))
    .output(answer),
  /** Rows in the order of the file, 50 per page. */
  rows: endpoint('GET', '/admin/imports/{import_id}/rows', ACCESS, TAG, 'Renglones de una importación')
    .input(
      z.object({ import_id: pathId, state: importRowState.optional().describe('Solo los de este estado.'), page: pageNumber.default(1) }),
    )
    .errors(refusals('NOT_FOUND'))
    .output(
      z.object({
        rows: z.array(row).describe('Los renglones.'),
        total: z.int().describe('Cuántos son.'),
        pages: z.int().describe('Cuántas páginas son.'),
      }),
    ),
  /** Corrects a row in place, or decides about a duplicate; all rows are checked again, because a row may be another's duplicate. */
  fix: endpoint('PUT', '/admin/imports/{import_id}/rows/{n}', ACCESS, TAG, 'Corregir un renglón de una importación')
    .input(
      z.object({
        import_id: pathId,
        n: pathId,
        values: z
          .partialRecord(importField, singleLine(300).nullable())
          .optional()
          .describe('Lo corregido, por campo; null: como viene en el archivo.'),
        decision: z
          .enum(['merge', 'new', 'skip'])
          .nullable()
          .optional()
          .describe('Combinar, es otra persona, u omitir; null: sin decidir.'),
        choices: choices.optional().describe('De quien ya está, qué dato se queda: el del estudio (ours) o el del archivo (file).'),
      }),
    )
    .errors(refusals('NOT_FOUND', 'IMPORT_STATE'))
    .output(z.object({ row: row.describe('El renglón.'), import: importView.describe('La importación.') })),
  /**
   * Answers the same question of all rows that wait for it: what is suggested for an error with the same sentence, or what becomes of
   * duplicates that are alike in the same thing. NOT_FOUND for a row about which nothing is asked.
   */
  fixAlike: endpoint('PUT', '/admin/imports/{import_id}/rows/{n}/alike', ACCESS, TAG, 'Corregir los renglones con lo mismo')
    .input(
      z.object({
        import_id: pathId,
        n: pathId,
        use: z
          .enum(['suggestion', 'merge', 'new', 'skip'])
          .describe('Qué hacer con todos: usar lo que se propone para cada uno, combinarlos, son otras personas, u omitirlos.'),
      }),
    )
    .errors(refusals('NOT_FOUND', 'IMPORT_STATE'))
    .output(
      z.object({
        changed: z.int().describe('Cuántos renglones cambiaron.'),
        rows: z.array(row).describe('Cómo quedaron los primeros 50.'),
        import: importView.describe('La importación.'),
      }),
    ),
  /** Imports rows that are new or change a customer; rows with errors and undecided duplicates are left out. An interrupted job resumes. */
  run: endpoint('POST', '/admin/imports/{import_id}/run', ACCESS, TAG, 'Importar')
    .input(importPath)
    .errors(refusals('NOT_FOUND', 'IMPORT_STATE', 'IMPORT_MAPPING'))
    .output(answer),
  /**
   * Undoes what an import created and is unused, for seven days. What cannot be undone is in the rows, with the reason; `dry_run` counts
   * both and changes nothing.
   */
  undo: endpoint('POST', '/admin/imports/{import_id}/undo', ACCESS, TAG, 'Deshacer una importación')
    .input(importPath.extend({ dry_run: z.boolean().default(false).describe('Solo decir qué pasaría.') }))
    .errors(refusals('NOT_FOUND', 'IMPORT_STATE', 'UNDO_TOO_LATE'))
    .output(
      importView.extend({
        preview: z
          .object({
            rows: z.int().describe('Cuántos renglones se deshacen.'),
            stays: z
              .array(z.object({ message: z.string().describe('Por qué se quedan.'), rows: z.int().describe('Cuántos renglones son.') }))
              .describe('Los que se quedan.'),
          })
          .nullable()
          .describe('Qué pasaría en este momento; null: se está deshaciendo.'),
      }),
    ),
  /**
   * Customers of an import who can be invited to create their account: with an email, without an account, and not invited in the
   * last seven days. `wave`: how many are named, in the order of the file, for `customers.invite` of `POST /admin/bulk`; afterwards the
   * next ones are.
   */
  invitations: endpoint('GET', '/admin/imports/{import_id}/invitations', ACCESS, TAG, 'A quiénes invitar después de importar')
    .input(z.object({ import_id: pathId, wave: numberBetween(1, IMPORT_MAX_WAVE).default(IMPORT_MAX_WAVE) }))
    .errors(refusals('NOT_FOUND'))
    .output(
      z.object({
        total: z.int().describe('Cuántas personas se pueden invitar.'),
        invited: z.int().describe('A cuántas ya se invitó.'),
        customer_ids: z.array(id).describe('Las siguientes, a lo más las de una tanda.'),
      }),
    ),
  /** The rows that stayed out, with the reason, as a CSV to correct. */
  rejected: endpoint('GET', '/admin/imports/{import_id}/rejected', ACCESS, TAG, 'Los renglones que no se importaron')
    .input(importPath)
    .errors(refusals('NOT_FOUND'))
    .output(z.file()),
  /** Removes an import that was not run. */
  remove: endpoint('DELETE', '/admin/imports/{import_id}', ACCESS, TAG, 'Descartar una importación')
    .input(importPath)
    .errors(refusals('NOT_FOUND', 'IMPORT_STATE'))
    .output(done),
}
