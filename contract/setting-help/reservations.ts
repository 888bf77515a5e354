/** Help of the settings of the calendar, reservations, the waitlist and videos (contract/setting-help.ts). */
import type { SettingKey } from '#contract/settings.ts'
import type { SettingHelp } from './entry.ts'

const UNITS = { seconds: 'Segundos', minutes: 'Minutos', hours: 'Horas', days: 'Días' }

export const reservationHelp = {
  // Calendar and reservations
  single_class_enabled: {
    label: 'Llamar “Presenciales” al calendario',
    help: 'El calendario de la cuenta se llama “Presenciales” en lugar de “Calendario”: para estudios que también dan clases en línea.',
  },
  reservation_timeframe_hours: {
    label: 'Cierre: horas',
    help: 'Cuántas horas antes de la clase se cierra la reservación.',
    unit: 'horas',
  },
  reservation_timeframe_minutes: { label: 'Cierre: minutos', help: 'Se suman a las horas del cierre.', unit: 'minutos' },
  reservation_opens_days: {
    label: 'Apertura',
    help: 'Cuántos días antes se puede reservar; 0: desde que se publica.',
    unit: 'días',
  },
  allow_cancel_reservations: { label: 'Permitir cancelar', help: 'Si las personas cancelan sus reservaciones.' },
  allow_cancel_after_treshold: {
    label: 'Cancelar tarde',
    help: 'Si se puede cancelar después del límite, perdiendo el crédito.',
  },
  cancel_timeframe_value: {
    depends_on: { key: 'allow_cancel_reservations', equals: true },
    type: 'integer',
    label: 'Límite para cancelar',
    help: 'Hasta cuánto antes se cancela sin perder el crédito; vacío: hasta que empieza.',
  },
  cancel_timeframe_unit: {
    depends_on: { key: 'allow_cancel_reservations', equals: true },
    label: 'Unidad del límite',
    help: 'En qué se cuenta el límite para cancelar.',
    choices: UNITS,
  },
  max_cancels_per_available_class: {
    type: 'integer',
    label: 'Cancelaciones por crédito',
    help: 'Cuántas veces se puede cancelar lo que pagó un mismo crédito; vacío: sin límite.',
    unit: 'cancelaciones',
  },
  allow_class_guests: { label: 'Invitados', help: 'Si se puede llevar a una persona invitada.' },
  allow_restricted_class_types: {
    label: 'Ver clases de otros tipos',
    help: 'Si se muestran clases que los créditos de la persona no cubren por su tipo.',
  },
  allow_restricted_times: {
    label: 'Ver clases de otros horarios',
    help: 'Si se muestran clases que los créditos de la persona no cubren por su hora.',
  },
  reservation_rating_enabled: { label: 'Calificar clases', help: 'Si se califica la clase y al coach al terminar.' },
  qrcode_enabled: { label: 'Código de acceso', help: 'Código QR de cada reservación para llegar al estudio.' },
  undo_minutes: {
    label: 'Tiempo para deshacer',
    help: 'Cuánto después de reservar se deshace sin que cuente como cancelación.',
    unit: 'minutos',
  },
  hold_while_paying: {
    label: 'Apartar el lugar mientras se paga',
    help: 'Cuánto se aparta el lugar de quien compra para una clase; con 0 no se aparta. Cuenta como ocupado hasta que se paga y reserva, o se acaba el tiempo.',
    unit: 'minutos',
  },
  courtesy_days: { label: 'Vigencia de cortesías', help: 'Cuánto vale un crédito que vuelve ya vencido.', unit: 'días' },
  no_show_grace_hours: {
    label: 'Tiempo para pasar lista',
    help: 'Cuánto después de la clase se decide quién faltó.',
    unit: 'horas',
  },

  // Waitlist and penalties
  waitlist_enabled: { label: 'Lista de espera', help: 'Si las clases llenas aceptan personas en espera.' },
  waitlist_mode: {
    depends_on: { key: 'waitlist_enabled', equals: true },
    label: 'Cómo se reparte un lugar',
    help: 'A quién se le ofrece un lugar que se libera.',
    choices: {
      todos: 'Se avisa a todos y gana quien reserve primero',
      oferta: 'Se ofrece al siguiente por un rato',
      auto: 'Se reserva solo al siguiente',
    },
  },
  waitlist_offer_minutes: {
    depends_on: { key: 'waitlist_mode', equals: 'oferta' },
    label: 'Tiempo para aceptar',
    help: 'Cuánto se aparta el lugar ofrecido.',
    unit: 'minutos',
  },
  waitlist_tell_all_minutes: {
    depends_on: { key: 'waitlist_enabled', equals: true },
    label: 'Avisar a todos',
    help: 'Desde cuánto antes del cierre se avisa a toda la lista.',
    unit: 'minutos',
  },
  unlimited_membership_penalties_enabled: {
    label: 'Penalizar faltas',
    help: 'Si faltar varias veces con un ilimitado impide reservar unos días.',
  },
  unlimited_max_no_shows_for_penalty: {
    depends_on: { key: 'unlimited_membership_penalties_enabled', equals: true },
    label: 'Faltas para penalizar',
    help: 'Cuántas faltas seguidas llevan a una penalización.',
    unit: 'faltas',
  },
  unlimited_penalty_days: {
    depends_on: { key: 'unlimited_membership_penalties_enabled', equals: true },
    label: 'Días de penalización',
    help: 'Cuánto dura.',
    unit: 'días',
  },

  // Videos
  videos_enabled: { label: 'Videos en línea', help: 'Si el estudio ofrece videos.' },
} satisfies Partial<Record<SettingKey, SettingHelp>>
