/**
 * Queries of the export of a person's data (docs/domain.md X7): one per section of the file. Every table with a column `customer_id` is in
 * `sections` or in `leftOutTables`; a test compares both with the schema.
 */
import { type SQL, sql } from 'drizzle-orm'
import { messageChannelLabels, messageEventLabels, messageStatusLabels } from '#contract/copy/message-log.ts'
import { cancelledByLabels, reservationSourceLabels } from '#contract/copy/reservation-list.ts'
import { importSources } from '#contract/imports.ts'
import type { Tx } from '#server/platform/db.ts'
import { type CodeLabels, chargeStatus, fileKind, movementKind, purchaseStatus, waitlistStatus } from './personal-data-labels.ts'

/** How a value is shown: as it is, as a moment, as money (stored in centavos), as yes or no, or a code by its words. */
export type ValueKind = 'text' | 'moment' | 'money' | 'yes' | CodeLabels

interface PersonalColumn {
  label: string
  value: SQL
  kind: ValueKind
}

interface PersonalSection {
  title: string
  /** Tables whose rows of the customer the section shows. */
  tables: readonly string[]
  columns: readonly PersonalColumn[]
  /** The rest of the query after its columns. */
  from: (customer_id: number) => SQL
}

const column = (label: string, value: string, kind: ValueKind = 'text'): PersonalColumn => ({ label, value: sql.raw(value), kind })

/** Whether the purchase `p` of the sale `s` was paid by another customer than its owner. */
const isGiven = 'coalesce(s.customer_id <> p.customer_id, false)'
/** The price of a purchase; null for a gift, whose recipient may not learn the price (S10). */
const bought = (value: string) => `case when ${isGiven} then null else ${value} end`

export const sections: readonly PersonalSection[] = [
  {
    title: 'Perfil',
    tables: ['customer'],
    columns: [
      column('Número de cliente', 'c.customer_id'),
      column('Nombre', 'c.name'),
      column('Apellidos', 'c.last_name'),
      column('Correo', 'c.email'),
      column('Teléfono', 'c.phone'),
      column('Nacimiento', 'c.birthdate'),
      column('Instagram', 'c.instagram'),
      column('Llegó por', 'coalesce(c.signup_reason_other, c.signup_reason)'),
      column('Idioma', 'c.language', { 'es-MX': 'Español', en: 'Inglés' }),
      column('Tiene cuenta', 'c.uid is not null', 'yes'),
      column('Créditos congelados', 'c.is_frozen', 'yes'),
      column('Alta', 'c."createdAt"', 'moment'),
      column('De baja desde', 'c."archivedAt"', 'moment'),
      column('Último cambio', 'c."updatedAt"', 'moment'),
    ],
    from: (id) => sql`from customer c where c.customer_id = ${id}`,
  },
  {
    title: 'Domicilios',
    tables: ['address'],
    columns: [
      column('Calle', 'a.street'),
      column('Número', 'a.number'),
      column('Interior', 'a.interior_number'),
      column('Colonia', 'a.neighborhood'),
      column('Ciudad', 'a.city'),
      column('Estado', 'a.state'),
      column('Código postal', 'a.zip_code'),
      column('País', 'a.country'),
    ],
    from: (id) => sql`from address a where a.customer_id = ${id} order by a."Address_id"`,
  },
  {
    title: 'Datos fiscales',
    tables: ['fiscal_profile'],
    columns: [
      column('RFC', 'f.rfc'),
      column('Nombre', 'f.name'),
      column('Código postal', 'f.postal_code'),
      column('Régimen', 'f.regime'),
      column('Uso', 'f.use'),
      column('Último uso', 'f."usedAt"', 'moment'),
    ],
    from: (id) => sql`from fiscal_profile f where f.customer_id = ${id} order by f.fiscal_profile_id`,
  },
  {
    title: 'Facturas',
    tables: ['fiscal_document'],
    columns: [
      column('Serie', 'd.series'),
      column('Folio', 'd.folio'),
      column('Folio fiscal', 'd.uuid'),
      column('RFC', `d.draft->'receiver'->>'rfc'`),
      column('Total', 'd.total_centavos', 'money'),
      column('Fecha', 'd."createdAt"', 'moment'),
    ],
    from: (id) => sql`from fiscal_document d where d.customer_id = ${id} order by d.fiscal_document_id`,
  },
  {
    title: 'Respuestas de formularios',
    tables: ['form_answer'],
    columns: [
      column('Formulario', 'f.name'),
      column('Pregunta', 'coalesce(ff.label, cf.label, answer.key)'),
      column(
        'Respuesta',
        `case jsonb_typeof(answer.value) when 'boolean' then case answer.value when 'true' then 'Sí' else 'No' end else answer.value #>> '{}' end`,
      ),
      column('Fecha', 'fa."updatedAt"', 'moment'),
    ],
    from: (id) => sql`
      from form_answer fa
      join form f on f.form_id = fa.form_id
      cross join lateral jsonb_each(fa.answers) answer
      left join form_field ff on ff.form_id = fa.form_id and ff.key = answer.key
      left join lateral (select label from custom_field where key = answer.key order by custom_field_id limit 1) cf on true
      where fa.customer_id = ${id} order by fa.form_id, ff.step, ff."order", answer.key`,
  },
  {
    title: 'Documentos aceptados',
    tables: ['accepted_page'],
    columns: [
      column('Documento', 'p.title'),
      column('Versión', 'ap.version'),
      column('Aceptado', 'ap."createdAt"', 'moment'),
      column('Firmó', 'ap.signed_name'),
    ],
    from: (id) =>
      sql`from accepted_page ap join page p on p.page_id = ap.page_id where ap.customer_id = ${id} order by ap."createdAt", ap.page_id, ap.version`,
  },
  {
    title: 'Archivos',
    tables: ['file'],
    columns: [
      column('Nombre', 'f.name'),
      column('De qué tipo', 'f.kind', fileKind),
      column('Bytes', 'f.size'),
      column('Subido', 'f."createdAt"', 'moment'),
    ],
    from: (id) => sql`from file f where f.customer_id = ${id} and f."deletedAt" is null order by f.file_id`,
  },
  {
    title: 'Permisos para mensajes',
    tables: ['message_consent'],
    columns: [
      column('Por dónde', 'mc.channel', { ...messageChannelLabels, marketing: 'Promociones' }),
      column('Permitido', 'mc.allowed', 'yes'),
      column('Desde', 'mc."changedAt"', 'moment'),
    ],
    from: (id) => sql`from message_consent mc where mc.customer_id = ${id} order by mc.channel`,
  },
  {
    title: 'Etiquetas',
    tables: ['customer_tag'],
    columns: [column('Etiqueta', 't.name')],
    from: (id) => sql`from customer_tag ct join tag t on t.tag_id = ct.tag_id where ct.customer_id = ${id} order by t.name`,
  },
  {
    title: 'Notas del equipo',
    tables: ['customer_note'],
    columns: [
      column('Nota', 'n.text'),
      column('La escribió', 's.name'),
      column('Escrita', 'n."createdAt"', 'moment'),
      column('Último cambio', 'n."updatedAt"', 'moment'),
    ],
    from: (id) => sql`from customer_note n join staff s on s.staff_id = n.staff_id where n.customer_id = ${id} order by n.customer_note_id`,
  },
  {
    title: 'Reservaciones',
    tables: ['class_reservation'],
    columns: [
      column('Clase', 'ct.name'),
      column('Estudio', 'l.name'),
      column('Cuándo', 'sc.starts_at', 'moment'),
      column('Lugar', 'r.spot'),
      column('Invitado', 'r.guest'),
      column('Cómo', 'r.source', reservationSourceLabels),
      column('Asistió', 'r.attend', 'yes'),
      column('Justificación', 'r.excuse'),
      column('Precio', 'r.price_centavos', 'money'),
      column('Calificación de la clase', 'r.class_stars'),
      column('Calificación de coach', 'r.coach_stars'),
      column('Comentario', 'r.comment'),
      column('Reservada', 'r."createdAt"', 'moment'),
      column('Cancelada', 'r."deletedAt"', 'moment'),
      column('La canceló', 'r.cancelled_by', cancelledByLabels),
    ],
    from: (id) => sql`
      from class_reservation r
      join single_class sc on sc.single_class_id = r.single_class_id
      join class_type ct on ct.class_type_id = sc.class_type_id
      join location l on l.location_id = sc.location_id
      where r.customer_id = ${id} order by sc.starts_at, r.class_reservation_id`,
  },
  {
    title: 'Listas de espera',
    tables: ['waitlist'],
    columns: [
      column('Clase', 'ct.name'),
      column('Cuándo', 'sc.starts_at', 'moment'),
      column('Cómo quedó', 'w.status', waitlistStatus),
      column('Se formó', 'w."createdAt"', 'moment'),
    ],
    from: (id) => sql`
      from waitlist w
      join single_class sc on sc.single_class_id = w.single_class_id
      join class_type ct on ct.class_type_id = sc.class_type_id
      where w.customer_id = ${id} order by w.waitlist_id`,
  },
  {
    title: 'Clases que encontró llenas',
    tables: ['class_refusal'],
    columns: [
      column('Clase', 'ct.name'),
      column('Cuándo', 'sc.starts_at', 'moment'),
      column('Quiso reservarla', 'f."createdAt"', 'moment'),
    ],
    from: (id) => sql`
      from class_refusal f
      join single_class sc on sc.single_class_id = f.single_class_id
      join class_type ct on ct.class_type_id = sc.class_type_id
      where f.customer_id = ${id} order by f."createdAt", f.single_class_id`,
  },
  {
    title: 'Penalizaciones',
    tables: ['class_reservation_penalty'],
    columns: [
      column('Motivo', 'p.reason'),
      column('Desde', 'p.starts_at', 'moment'),
      column('Hasta', 'p.ends_at', 'moment'),
      column('Perdonada', 'p."forgivenAt"', 'moment'),
      column('Por qué se perdonó', 'p.forgive_reason'),
    ],
    from: (id) => sql`from class_reservation_penalty p where p.customer_id = ${id} order by p.class_reservation_penalty_id`,
  },
  {
    title: 'Créditos',
    tables: ['available_class'],
    columns: [
      column('Qué es', 'a.title'),
      column('Ilimitado', 'a.unlimited', 'yes'),
      column('Recibió', 'a.granted'),
      column('Le quedan', 'a.balance'),
      column('Cortesía', 'a.is_courtesy', 'yes'),
      column('Vence', 'a.expires_at', 'moment'),
      column('Congelado', 'a."frozenAt"', 'moment'),
      column('Revocado', 'a."revokedAt"', 'moment'),
      column('Desde', 'a."createdAt"', 'moment'),
    ],
    from: (id) => sql`from available_class a where a.customer_id = ${id} order by a.available_class_id`,
  },
  {
    title: 'Movimientos de créditos',
    tables: ['credit_movement'],
    columns: [
      column('Créditos', 'a.title'),
      column('Movimiento', 'm.kind', movementKind),
      column('Cuántos', 'm.amount'),
      column('Motivo', 'm.reason'),
      column('Fecha', 'm."createdAt"', 'moment'),
    ],
    from: (id) => sql`
      from credit_movement m join available_class a on a.available_class_id = m.available_class_id
      where m.customer_id = ${id} order by m.credit_movement_id`,
  },
  {
    title: 'Compras',
    tables: ['purchase', 'discount_use'],
    columns: [
      column('Orden', 'p.purchase_id'),
      column('Qué compró', 'p.title'),
      column('Precio', bought('p.amount_centavos'), 'money'),
      column('Descuento', bought('p.discount_centavos'), 'money'),
      column('Código de descuento', bought('p.discount_code')),
      column('Total', bought('p.total_centavos'), 'money'),
      column('Pagado con tarjeta de regalo', 'p.gift_card_centavos', 'money'),
      column('Regalo', `(p.is_gift or ${isGiven})`, 'yes'),
      column('Suscripción', 'p.is_subscription', 'yes'),
      column('Estado', 'p.status', purchaseStatus),
      column('Comprada', 'p."createdAt"', 'moment'),
      column('Cancelada', 'p."cancelledAt"', 'moment'),
      column('Por qué se canceló', 'p.cancel_reason'),
      column('Nota', 'p.note'),
    ],
    from: (id) => sql`from purchase p left join sale s using (sale_id) where p.customer_id = ${id} order by p.purchase_id`,
  },
  {
    title: 'Suscripciones por activar',
    tables: ['pending_subscription'],
    columns: [
      column('Paquete', 'k.title'),
      column('Precio', 'p.price_centavos', 'money'),
      column('Primer cobro', 'p.next_charge_on'),
      column('Con tarjeta', 'p.payment_source_id is not null', 'yes'),
      column('Orden', 'p.purchase_id'),
      column('Sistema', 'p.source', importSources),
      column('Cancelada', 'p."cancelledAt"', 'moment'),
    ],
    from: (id) =>
      sql`from pending_subscription p join class_package k using (class_package_id) where p.customer_id = ${id} order by p.pending_subscription_id`,
  },
  {
    title: 'Compras en el sistema anterior',
    tables: ['past_purchase'],
    columns: [
      column('Fecha', 'p.bought_on'),
      column('Qué compró', 'p.title'),
      column('Total', 'p.total_centavos', 'money'),
      column('Cómo pagó', 'p.way'),
      column('Sistema', 'p.source', importSources),
    ],
    from: (id) => sql`from past_purchase p where p.customer_id = ${id} order by p.bought_on, p.past_purchase_id`,
  },
  {
    title: 'Visitas en el sistema anterior',
    tables: ['past_visit'],
    columns: [column('Cuántas', 'p.visits'), column('La última', 'p.last_at', 'moment'), column('Sistema', 'p.source', importSources)],
    from: (id) => sql`from past_visit p where p.customer_id = ${id} order by p.past_visit_id`,
  },
  {
    title: 'Cargos',
    tables: ['invoice'],
    columns: [
      column('Orden', 'i.purchase_id'),
      column('Total', 'i.total_centavos', 'money'),
      column('Devuelto', 'i.refunded_centavos', 'money'),
      column('IVA', 'i.tax_centavos', 'money'),
      column('Estado', 'i.status', chargeStatus),
      column('Tarjeta o referencia', 'coalesce(i.label, i.reference)'),
      column('Pagado', 'i."paidAt"', 'moment'),
      column('Fecha', 'i."createdAt"', 'moment'),
    ],
    // The charges of a gift belong to its buyer (S10).
    from: (id) => sql`
      from invoice i join purchase p using (purchase_id) left join sale s using (sale_id)
      where coalesce(s.customer_id, i.customer_id) = ${id} order by i.invoice_id`,
  },
  {
    title: 'Ventas en el mostrador',
    tables: ['sale'],
    columns: [
      column('Venta', 's.sale_id'),
      column('Estudio', 'l.name'),
      column(
        'Qué',
        `(select string_agg(sl.quantity || ' × ' || sl.title, ', ' order by sl.n) from sale_line sl where sl.sale_id = s.sale_id)`,
      ),
      column('Total', 's.total_centavos', 'money'),
      column('Debe', 's.owed_centavos', 'money'),
      column('Por qué debe', 's.owe_reason'),
      column('Nota', 's.note'),
      column('Fecha', 's."createdAt"', 'moment'),
    ],
    from: (id) =>
      sql`from sale s left join location l on l.location_id = s.location_id where s.customer_id = ${id} and not s.is_waiting order by s.sale_id`,
  },
  {
    title: 'Tarjetas de regalo compradas en línea',
    tables: ['gift_card_order'],
    columns: [
      column('Orden', 'o.purchase_id'),
      column('Para', 'o.recipient_name'),
      column('Correo de quien la recibe', 'o.recipient_email'),
      column('Dedicatoria', 'o.message'),
      column('Día de envío', 'o.deliver_on'),
      column('Enviada', 'o."sentAt"', 'moment'),
    ],
    from: (id) => sql`from gift_card_order o where o.customer_id = ${id} order by o.purchase_id`,
  },
  {
    title: 'Tarjetas bancarias guardadas',
    tables: ['payment_source'],
    columns: [
      column('Tarjeta', 'p.card_type'),
      column('Últimos cuatro dígitos', 'p.last_digits'),
      column('Vence', 'p.exp'),
      column('Guardada', 'p."createdAt"', 'moment'),
      column('Eliminada', 'p."deletedAt"', 'moment'),
    ],
    from: (id) => sql`from payment_source p where p.customer_id = ${id} order by p.payment_source_id`,
  },
  {
    title: 'Mensajes',
    tables: ['message'],
    columns: [
      column('Sobre qué', 'm.event', messageEventLabels),
      column('Por dónde', 'm.channel', messageChannelLabels),
      column('Título', `m.words ->> 'title'`),
      column('Texto', `(select string_agg(line, E'\\n') from jsonb_array_elements_text(m.words -> 'lines') line)`),
      column('Estado', 'm.status', messageStatusLabels),
      column('Enviado', 'm."sentAt"', 'moment'),
      column('Leído', 'm."readAt"', 'moment'),
      column('Creado', 'm."createdAt"', 'moment'),
    ],
    from: (id) => sql`from message m where m.customer_id = ${id} order by m.message_id`,
  },
  {
    title: 'Videos vistos',
    tables: ['playback'],
    columns: [
      column('Video', 'v.name'),
      column('Empezó', 'p."startedAt"', 'moment'),
      column('Última vez', 'p."lastAt"', 'moment'),
      column('Terminó', 'p."completedAt"', 'moment'),
      column('Se quedó en el segundo', 'p.position'),
    ],
    from: (id) =>
      sql`from playback p join video v on v.video_id = p.video_id where p.customer_id = ${id} order by p."createdAt", p.video_id`,
  },
  {
    title: 'Videos favoritos',
    tables: ['favorite'],
    columns: [column('Video', 'v.name'), column('Desde', 'f."createdAt"', 'moment')],
    from: (id) =>
      sql`from favorite f join video v on v.video_id = f.video_id where f.customer_id = ${id} order by f."createdAt", f.video_id`,
  },
  {
    title: 'Calificaciones de videos',
    tables: ['video_rating'],
    columns: [
      column('Video', 'v.name'),
      column('Estrellas', 'r.stars'),
      column('Comentario', 'r.comment'),
      column('Fecha', 'r."updatedAt"', 'moment'),
    ],
    from: (id) =>
      sql`from video_rating r join video v on v.video_id = r.video_id where r.customer_id = ${id} order by r."createdAt", r.video_id`,
  },
]

/** Tables with a column `customer_id` that the export does not show, and why. */
export const leftOutTables: Readonly<Record<string, string>> = {
  audit: 'Record of what the staff did; it has its own export with its own right (audit.read).',
  broadcast_recipient: 'That they were written to; the messages are in a section of their own.',
  calendar_feed: 'Version number of the secret address of the calendar.',
  cash_payment: 'The processor side of payments at the counter; the same amounts are in the invoices.',
  customer_change: 'Queue of summaries to derive again.',
  customer_distinct: 'Pairs of customers who are two persons.',
  customer_erasure: 'Requests to erase the data.',
  customer_merge: 'Record of two customers that became one; everything of both is in the other sections.',
  customer_summary: 'Derived from the other tables.',
  external_record: 'Ids at the system that reservations, notes, past purchases and pending subscriptions were imported from.',
  external_ref: 'Id at the system that the record was imported from.',
  import_row: 'Row of an imported file; what was taken from it is in the other sections.',
  provider_customer: 'Id at the payment processor: a key to an account, no data of the person.',
  purchase_visit: 'Idempotency keys of checkouts.',
  rollup_change: 'Queue of rollups to derive again.',
  sandbox_customer: 'The test processor, which holds no real payments.',
  staff_undo: 'What staff can take back for ten minutes; what they did is in the other sections.',
  visit_first: 'Derived from the reservations.',
  visit_month: 'Derived from the reservations.',
}

/** The rows of each section that has any, as arrays in the order of its columns. Moments are ISO 8601 texts. */
export async function readSections(tx: Tx, customer_id: number) {
  const read: { title: string; columns: readonly PersonalColumn[]; rows: unknown[][] }[] = []
  for (const { title, columns, from } of sections) {
    const values = sql.join(
      columns.map(({ value }) => value),
      sql`, `,
    )
    const { rows } = await tx.execute<{ row: unknown[] }>(sql`select json_build_array(${values}) as row ${from(customer_id)}`)
    if (rows.length > 0) read.push({ title, columns, rows: rows.map(({ row }) => row) })
  }
  return read
}
