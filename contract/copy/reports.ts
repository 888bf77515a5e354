/** Names of the reports: their keys in addresses, the questions that they answer, and how their rows are grouped. */

/** The reports, by their key in addresses and on the wire. */
export const REPORT_KEYS = [
  ...(['cobrado', 'ventas', 'suscripciones', 'reconocido'] as const),
  ...(['ocupacion', 'asistencia', 'coaches', 'espera', 'ganancia'] as const),
  ...(['clientes', 'primera-clase', 'retencion', 'riesgo', 'valor'] as const),
  ...(['por-cobrar', 'creditos', 'cortes', 'iva', 'nomina'] as const),
  ...(['descuentos', 'mensajes', 'calificaciones', 'videos'] as const),
] as const
export type ReportKey = (typeof REPORT_KEYS)[number]

/** The questions of the index, in its order. */
export const QUESTION_KEYS = ['going', 'filling', 'people', 'owing', 'paying', 'selling', 'opinions'] as const
export type QuestionKey = (typeof QUESTION_KEYS)[number]

export const questions: Readonly<Record<QuestionKey, string>> = {
  going: '¿Cómo vamos?',
  filling: '¿Qué clases llenan?',
  people: '¿Quién llega y quién se va?',
  owing: '¿Cuánto debo y me deben?',
  paying: '¿Cuánto le pago a cada coach?',
  selling: '¿Qué funciona para vender?',
  opinions: '¿Qué opinan?',
}

/** How the rows of a report can be grouped. */
export const GROUP_KEYS = [
  ...(['day', 'method', 'location', 'package', 'seller', 'code'] as const),
  ...([
    'slot',
    'class',
    'type',
    'coach',
    'month',
    'person',
    'session',
    'lot',
    'rate',
    'channel',
    'video',
    'comment',
    'state',
    'way',
    'room',
    'debt',
    'kind',
    'age',
    'year',
  ] as const),
] as const
export type GroupKey = (typeof GROUP_KEYS)[number]

export const groupLabels: Readonly<Record<GroupKey, string>> = {
  day: 'Por día',
  method: 'Por forma de pago',
  location: 'Por estudio',
  package: 'Por paquete',
  seller: 'Por quién vendió',
  code: 'Por código',
  slot: 'Por hora y día',
  class: 'Clase por clase',
  type: 'Por tipo de clase',
  coach: 'Por coach',
  month: 'Por mes',
  person: 'Por persona',
  session: 'Por corte',
  lot: 'Por compra',
  rate: 'Por tasa',
  channel: 'Por mensaje y canal',
  video: 'Por video',
  comment: 'Opinión por opinión',
  state: 'Por movimiento',
  way: 'Por cómo llegaron',
  room: 'Por sala',
  debt: 'Uno por uno',
  kind: 'Por tipo',
  age: 'Por antigüedad',
  year: 'Por año',
}
