/** Settings on the wire, pages, documents to accept, announcements (spec 1 sections 3 and 7). */
import * as z from 'zod'
import { RESERVED_SLUGS } from './content-slugs.ts'
import { crud, orderedListEndpoints, versioned } from './crud.ts'
import { endpoint, id, ids, instant, pathId, refusals, singleLine } from './endpoint.ts'
import { settingPair } from './settings.ts'

export const page = z.object({
  page_id: id,
  slug: z.string(),
  title: z.string(),
  /** Sanitised HTML; null when the page has none yet (it is then hidden from the footer). */
  content: z.string().nullable(),
  /** Must be accepted before use. */
  required: z.boolean(),
  /** Must be accepted at sign-up. */
  required_signup: z.boolean(),
  /** Increased by each change; an acceptance refers to one version. */
  version: z.int(),
  seo_title: z.string().nullable(),
  seo_description: z.string().nullable(),
})
export type Page = z.infer<typeof page>

export const announcement = z.object({
  announcement_id: id,
  title: z.string(),
  content: z.string(),
  createdAt: z.string(),
  from: instant.nullable().describe('Desde cuándo se muestra; null: desde que se creó.'),
  pinned: z.boolean(),
  location_ids: z.array(id).nullable().describe('Los estudios de los que trata; null: de todos.'),
})
export type Announcement = z.infer<typeof announcement>

/** Paths that the packages page cannot have, because another page has it on the site or under /mystudio (S1-2.20, S1-2.30). */
// biome-ignore format: a line each would hide what belongs together
export const TAKEN_PATHS: readonly string[] = [
  ...RESERVED_SLUGS.filter((slug) => slug !== 'paquetes'),
  'preguntas-frecuentes', 'online', 'video', 'reservaciones', 'waitlists', 'informacion', 'membresias', 'pagos', 'metodos',
  'creditos', 'mensajes',
]

/** HTML as an administrator wrote it; it is sanitised before it is shown. */
const html = z
  .string()
  .max(200_000)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: PostgreSQL refuses NUL, so it stops here.
  .regex(/^[^\u0000]*$/, 'Este texto tiene caracteres que no se aceptan.')

const title = singleLine(200).min(1, 'Debes llenar este campo.')

const slug = z
  .string()
  .trim()
  .max(80)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'Usa minúsculas, números y guiones, como aviso-de-privacidad.')
  .refine((value) => !(RESERVED_SLUGS as readonly string[]).includes(value), 'Esa dirección ya es de otra pantalla.')

/** Fields of a page that staff read, besides its id. */
const pageRow = {
  ...page.omit({ page_id: true }).shape,
  /** The original text, for the editor. */
  source: z.string().nullable(),
  published: z.boolean(),
  sort: z.int(),
  updatedAt: z.string(),
}
const staffPage = z.object({ page_id: id, ...pageRow })
export type StaffPage = z.infer<typeof staffPage>

const pageVersion = z.object({
  version: z.int().describe('Su número.'),
  title: z.string(),
  createdAt: instant.describe('Cuándo se guardó.'),
  by: z.string().nullable().describe('Quién la guardó; null: nadie del equipo, o se guardó antes de que se anotara.'),
  accepted: z.int().describe('Cuántas personas la aceptaron.'),
})
export type PageVersion = z.infer<typeof pageVersion>

const pageFields = {
  slug,
  title,
  content: html.nullish(),
  required: z.boolean().optional(),
  required_signup: z.boolean().optional(),
  published: z.boolean().optional(),
  seo_title: singleLine(90).nullish(),
  seo_description: singleLine(200).nullish(),
}

const PAGES = { path: '/pages', id: 'page_id', tag: 'Contenido', called: 'páginas', access: 'staff:content.edit' } as const

const admin = {
  /** A changed text is a new version, which customers must accept again. A deleted page stays as a row for those who accepted it (T8). */
  pages: crud({
    ...PAGES,
    one: 'page',
    many: 'pages',
    fields: pageFields,
    row: pageRow,
  }),
  /** Endpoints of pages beyond a plain list: their order, one with its versions, and the preview of an unsaved text. */
  page: {
    order: orderedListEndpoints(PAGES).order,
    /** Like `PUT /pages`, unless the page was changed since `if_updatedAt`: CHANGED_MEANWHILE, and nothing is saved. */
    change: endpoint('PUT', '/admin/pages/{page_id}', PAGES.access, PAGES.tag, 'Cambiar una página si nadie más la cambió')
      .input(
        z.object({
          page_id: pathId,
          if_updatedAt: instant,
          ...z.object(pageFields).partial().shape,
        }),
      )
      .errors(refusals('NOT_FOUND', 'ALREADY_EXISTS', 'CHANGED_MEANWHILE'))
      .output(z.object({ page: staffPage })),
    /** A page with its versions, newest first, and how many people a new version would be shown to again. */
    one: endpoint('GET', '/admin/pages/{page_id}', PAGES.access, PAGES.tag, 'Una página con sus versiones')
      .input(z.object({ page_id: pathId }))
      .errors(refusals('NOT_FOUND'))
      .output(
        z.object({
          page: staffPage,
          accepted: z.int().describe('Cuántas personas aceptaron su versión de ahora: a ellas se les pide otra vez con una nueva.'),
          customers: z.int().describe('Cuántas personas tienen cuenta: a ellas se les pide si se vuelve obligatoria.'),
          versions: z.array(pageVersion).describe('Sus versiones, la más nueva primero.'),
        }),
      ),
    /** The text of one version, to compare it or to take it again. */
    version: endpoint('GET', '/admin/pages/{page_id}/versions/{version}', PAGES.access, PAGES.tag, 'Una versión de una página')
      .input(z.object({ page_id: pathId, version: pathId.describe('Su número.') }))
      .errors(refusals('NOT_FOUND'))
      .output(
        z.object({
          version: pageVersion.extend({
            source: z.string().nullable().describe('El texto como se escribió.'),
            content: z.string().nullable().describe('El texto como se vio.'),
          }),
        }),
      ),
    /** A text as visitors would see it (T6). Nothing is saved. */
    preview: endpoint('POST', '/admin/pages/preview', PAGES.access, PAGES.tag, 'Ver cómo queda un texto')
      .input(z.object({ content: html.describe('El texto como se escribió.') }))
      .output(z.object({ content: z.string().describe('El texto como lo verían los visitantes.') })),
  },
  announcements: {
    ...crud({
      path: '/announcements',
      one: 'announcement',
      many: 'announcements',
      id: 'announcement_id',
      tag: 'Contenido',
      called: 'avisos',
      access: 'staff:content.notices',
      fields: {
        ...versioned.sent,
        title,
        content: html.min(1, 'Debes llenar este campo.'),
        from: instant.nullish(),
        until: instant.nullish(),
        pinned: z.boolean().optional(),
        location_ids: ids(200)
          .nullish()
          .transform((ids) => (ids?.length ? ids : ids && null)),
      },
      row: {
        ...versioned.row,
        ...announcement.omit({ announcement_id: true }).shape,
        source: z.string().nullable(),
        until: instant.nullable().describe('Hasta cuándo se muestra; null: hasta que se quite.'),
      },
    }),
    /** A text of an announcement as visitors would see it (T6). Nothing is saved. */
    preview: endpoint('POST', '/admin/announcements/preview', 'staff:content.notices', 'Contenido', 'Ver cómo queda un aviso')
      .input(z.object({ content: html.describe('El texto como se escribió.') }))
      .output(z.object({ content: z.string().describe('El texto como lo verían los visitantes.') })),
  },
}

export const acceptedPage = z.object({ page_id: id, customer_id: id, version: z.int(), createdAt: z.string() })

/** Description of one setting for its editor, on the wire. */
const settingInfo = z.object({
  area: z.string().describe('Pantalla de ajustes a la que pertenece.'),
  group: z.string().describe('Grupo de esa pantalla.'),
  label: z.string(),
  help: z.string().describe('Qué hace, en una o dos frases.'),
  type: z
    .string()
    .describe('Cómo se edita: boolean, integer, number, select, text, long, html, code, colour, image, link, phone, ref, matrix u object.'),
  options: z
    .array(z.object({ value: z.string(), label: z.string() }))
    .nullable()
    .describe('Opciones de un `select`.'),
  min: z.number().nullable().describe('Menor valor de un número.'),
  max: z.number().nullable().describe('Mayor valor de un número, o mayor largo de un texto.'),
  nullable: z.boolean().describe('Si puede quedar sin valor (null).'),
  unit: z.string().nullable().describe('Qué cuenta un número.'),
  ref: z.string().nullable().describe('Lista a la que refiere un id.'),
  shown_on: z.array(z.string()).describe('Páginas donde se nota.'),
  depends_on: z
    .object({ key: z.string(), equals: z.union([z.string(), z.boolean()]).describe('El valor que debe tener.') })
    .nullable()
    .describe('Ajuste sin cuyo valor este no tiene efecto.'),
  danger: z.string().nullable().describe('Lo que se puede perder al cambiarlo.'),
  right: z.string().nullable().describe('Permiso que hace falta además de `settings.edit`.'),
})
export type SettingInfo = z.infer<typeof settingInfo>

/** A setting with its value and description for the editor. */
const editedSetting = settingPair.extend({
  ...settingInfo.shape,
  /** the value until it is changed */
  default: z.json(),
  /** sent to every visitor in `GET /appconfig` */
  public: z.boolean(),
  changed_at: instant.nullable().describe('Cuándo se cambió por última vez; null: nunca.'),
  changed_by: z.string().nullable().describe('Quién lo cambió por última vez; null: nadie del equipo.'),
})
export type EditedSetting = z.infer<typeof editedSetting>

/** One change of a setting. */
const settingChange = z.object({
  audit_id: id.describe('Su movimiento en la bitácora.'),
  at: instant.describe('Cuándo se cambió.'),
  by: z.string().describe('Quién lo cambió.'),
  before: z.json().describe('El valor de antes.'),
  after: z.json().describe('El valor de después.'),
})
export type SettingChange = z.infer<typeof settingChange>

export const content = {
  /** The public settings as key/value pairs (S1-7.82, settled 28). */
  appconfig: endpoint('GET', '/appconfig', 'public', 'Configuración', 'Configuración pública del estudio', ['settings']).output(
    z.array(settingPair),
  ),
  /** Every setting, private ones too (settled 28). */
  settings: endpoint('GET', '/appconfig/admin/all', 'staff:settings.edit', 'Configuración', 'Toda la configuración del estudio').output(
    z.object({ settings: z.array(editedSetting) }),
  ),
  /**
   * Changes all the given settings or none: INVALID_INPUT names each key that does not exist or whose value is invalid. With `if_value`,
   * the value that the change was made from, CHANGED_MEANWHILE carries in `conflicts` the stored versions of those that differ by now.
   * Settings that decide who can sign in (`firebaseConfig`, `staff_second_factor_required`) need a recent sign-in.
   */
  changeSettings: endpoint('PUT', '/appconfig', 'staff:settings.edit', 'Configuración', 'Cambiar la configuración: solo lo que se envía')
    .input(
      z.object({
        settings: z
          .array(
            z.object({
              key: z.string().max(80),
              value: z.unknown(),
              if_value: z.json().optional().describe('El valor desde el que se hizo el cambio; si ya es otro, CHANGED_MEANWHILE.'),
            }),
          )
          .min(1)
          .max(300),
      }),
    )
    .errors(refusals('CHANGED_MEANWHILE', 'RECENT_SIGN_IN_REQUIRED'))
    .output(z.object({ settings: z.array(editedSetting) })),
  /** The changes of one setting, newest first, at most 50. NOT_FOUND: there is no such setting. */
  settingHistory: endpoint('GET', '/admin/settings/{key}/history', 'staff:settings.edit', 'Configuración', 'Cambios de un ajuste')
    .errors(refusals('NOT_FOUND'))
    .input(z.object({ key: z.string().max(80).describe('Clave del ajuste.') }))
    .output(z.object({ changes: z.array(settingChange).describe('Los cambios, el más reciente primero.') })),
  /**
   * Unsaved settings for a preview of the public pages: they answer to `?vista_previa=token` for 15 minutes. Nothing is saved;
   * INVALID_INPUT names the keys.
   */
  previewSettings: endpoint(
    'POST',
    '/admin/settings/preview',
    'staff:settings.edit',
    'Configuración',
    'Ver las páginas con ajustes sin guardar',
  )
    .input(
      z.object({
        settings: z
          .array(z.object({ key: z.string().max(80), value: z.unknown() }))
          .max(300)
          .describe('Los ajustes que todavía no se guardan.'),
      }),
    )
    .output(
      z.object({
        token: z.string().describe('Va en la dirección de la página, en `vista_previa`.'),
        until: instant.describe('Hasta cuándo sirve.'),
      }),
    ),
  /** All pages, without their text: `content` is '' where a page has one and null where it has none (it is then hidden from the footer). */
  pages: endpoint('GET', '/pages', 'public', 'Contenido', 'Páginas', ['content']).output(z.object({ pages: z.array(page) })),
  page: endpoint('GET', '/pages/{slug}', 'public', 'Contenido', 'Una página', ['content'])
    .input(
      z.object({
        slug: z
          .string()
          .min(1)
          .max(100)
          .regex(/^\P{Cc}+$/u),
      }),
    )
    .errors(refusals('CONTENT_FAILED'))
    .output(z.object({ page })),
  /** Documents that the customer has accepted, and those still to be accepted (`pending`). */
  accepted: endpoint('GET', '/accepted_pages', 'customer', 'Contenido', 'Documentos aceptados').output(
    z.object({ accepted_pages: z.array(acceptedPage), pending: z.array(page) }),
  ),
  /** Accepts the current version of a document. `customer_id` in the body is ignored: the token identifies the customer. */
  accept: endpoint('POST', '/accepted_pages', 'customer', 'Contenido', 'Aceptar un documento')
    .input(z.object({ page_id: id, customer_id: z.unknown().optional() }))
    .errors(refusals('NOT_FOUND'))
    .output(z.object({ accepted_page: acceptedPage })),
  announcements: endpoint('GET', '/announcements', 'public', 'Contenido', 'Avisos', ['content']).output(
    z.object({ announcements: z.array(announcement) }),
  ),
  announcement: endpoint('GET', '/announcements/{announcement_id}', 'public', 'Contenido', 'Un aviso')
    .input(z.object({ announcement_id: pathId }))
    .errors(refusals('NOT_FOUND'))
    .output(z.object({ announcement })),
  admin,
}
