/**
 * Builds every address of the administration; no other file spells one. Separate from `paths.ts`, which is in the bundle of every public
 * page, because visitors do not need these.
 */
import { ADMIN_HOME, adminReservationPath } from './admin-home.ts'

const seg = (value: string | number) => encodeURIComponent(String(value))

export const adminPaths = {
  home: ADMIN_HOME,
  today: '/admin/hoy',
  /** The first steps of a new studio, at the first one that is pending. */
  onboarding: '/admin/inicio',
  onboardingStep: (key: string) => `/admin/inicio?paso=${seg(key)}`,
  onboardingDone: '/admin/inicio/listo',
  schedule: '/admin/horario',
  /** The timetable with one type of class, coach or location only. */
  scheduleOf: (filter: Readonly<Record<string, number>>) =>
    `/admin/horario?${new URLSearchParams(Object.entries(filter).map(([key, id]) => [key, String(id)]))}`,
  holidays: '/admin/horario/feriados',
  substitutions: '/admin/horario/suplencias',
  scheduleTemplates: '/admin/horario/plantillas',
  /** The templates with the dialog that saves a week open. */
  saveTemplate: (week: string) => `/admin/horario/plantillas?semana=${seg(week)}`,
  /** The panel of a new class, on a day in the evening. */
  newClass: (day: string) => `/admin/horario?nueva=${seg(`${day}T18:00`)}`,
  /** The panel of a new class with what is known of it, in its week. */
  newClassWith: (day: string, hour: string, known: Readonly<Record<string, string | null>>) =>
    `/admin/horario?${new URLSearchParams([
      ['semana', day] as [string, string],
      ['dia', day] as [string, string],
      ['nueva', `${day}T${hour}`] as [string, string],
      ...Object.entries(known).flatMap(([key, value]): [string, string][] => (value === null ? [] : [[key, value]])),
    ])}`,
  /** The timetable with the panel of a class, in its week. */
  classInSchedule: (singleClassId: number, day: string) => `/admin/horario?semana=${seg(day)}&dia=${seg(day)}&clase=${seg(singleClassId)}`,
  /** The timetable with the dialog that cancels a class. */
  cancelClass: (singleClassId: number, day: string) =>
    `/admin/horario?semana=${seg(day)}&dia=${seg(day)}&clase=${seg(singleClassId)}&hacer=cancelar`,
  /** The timetable with the selection of all classes that fit. */
  selectClasses: (known: Readonly<Record<string, string | null>>) =>
    `/admin/horario?${new URLSearchParams(Object.entries(known).flatMap(([key, value]): [string, string][] => (value === null ? [] : [[key, value]])))}`,
  /** The coach's home. */
  myClasses: '/admin/mis-clases',
  roster: (singleClassId: number) => `/admin/clases/${seg(singleClassId)}`,
  /** Opened by the QR code of a reservation; checks the customer in (settled 26). */
  reservation: adminReservationPath,
  /** The same reservation, read-only: opening it checks no one in. */
  reservationDetails: (classReservationId: number) => `/admin/reservaciones/${seg(classReservationId)}?ver=detalle`,
  reservations: '/admin/reservaciones',
  scan: '/admin/escanear',
  /** Self check-in of customers; a confirmation precedes the change of this device. */
  kiosk: '/admin/escanear?modo=kiosko',
  customers: '/admin/clientes',
  customersWithTag: (tagId: number) => `/admin/clientes?etiqueta=${seg(tagId)}`,
  /** The list with the dialog that adds a customer open. */
  newCustomer: '/admin/clientes?nuevo=0',
  duplicates: '/admin/clientes/duplicados',
  segments: '/admin/clientes/segmentos',
  customer: (customerId: number) => `/admin/clientes/${seg(customerId)}`,
  /** The customer with the dialog that gives credits. */
  giveAccess: (customerId: number) => `/admin/clientes/${seg(customerId)}?hacer=acceso`,
  sales: '/admin/ventas',
  /** A tab of the sales: cargos, suscripciones, por-cobrar, devoluciones, diferencias. */
  salesTab: (tab: string) => `/admin/ventas?ver=${seg(tab)}`,
  /** The counter. `cliente`: id of the buyer; `clase`: id of the class whose reservation is already in the basket. */
  newSale: '/admin/ventas/nueva',
  newSaleWith: (ids: { cliente: number; clase?: number }) =>
    `/admin/ventas/nueva?${new URLSearchParams(Object.entries(ids).map(([key, id]) => [key, String(id)]))}`,
  till: '/admin/caja',
  payroll: '/admin/nomina',
  payRules: '/admin/nomina/reglas',
  myPay: '/admin/mi-pago',
  tillCounts: '/admin/caja/cortes',
  packages: '/admin/paquetes',
  package: (classPackageId: number) => `/admin/paquetes/${seg(classPackageId)}`,
  /** A new package; `de`: the id of the one that it is a copy of. */
  newPackage: (de?: number) => (de === undefined ? '/admin/paquetes/nuevo' : `/admin/paquetes/nuevo?de=${seg(de)}`),
  videos: '/admin/videos',
  newVideo: '/admin/videos/nuevo',
  video: (videoId: number) => `/admin/videos/${seg(videoId)}`,
  videoTypes: '/admin/videos/tipos',
  programs: '/admin/videos/programas',
  program: (programId: number) => `/admin/videos/programas/${seg(programId)}`,
  forms: '/admin/contenido/formularios',
  newForm: '/admin/contenido/formularios/nuevo',
  form: (formId: number) => `/admin/contenido/formularios/${seg(formId)}`,
  formAnswers: (formId: number) => `/admin/contenido/formularios/${seg(formId)}/respuestas`,
  pages: '/admin/contenido/paginas',
  newPage: '/admin/contenido/paginas/nueva',
  page: (pageId: number) => `/admin/contenido/paginas/${seg(pageId)}`,
  discounts: '/admin/descuentos',
  products: '/admin/productos',
  announcements: '/admin/contenido/avisos',
  messages: '/admin/mensajes',
  broadcasts: '/admin/mensajes/difusiones',
  storedMails: '/admin/mensajes/guardados',
  messageTemplates: '/admin/mensajes/automaticos',
  newBroadcast: '/admin/mensajes/nuevo',
  /** A new message to a segment, to the customers of a class, or to one customer. */
  newBroadcastTo: (to: { segmento: number } | { clase: number } | { clientes: number }) =>
    `/admin/mensajes/nuevo?${new URLSearchParams(Object.entries(to).map(([key, id]) => [key, String(id)]))}`,
  /** The first of the settings screens. */
  settings: '/admin/ajustes/marca',
  settingsArea: (area: string) => `/admin/ajustes/${seg(area)}`,
  /** The field of one setting. */
  setting: (area: string, key: string) => `/admin/ajustes/${seg(area)}?ajuste=${seg(key)}`,
  giftCards: '/admin/tarjetas-regalo',
  reports: '/admin/reportes',
  report: (key: string) => `/admin/reportes/${seg(key)}`,
  audit: '/admin/ajustes/bitacora',
  team: '/admin/ajustes/equipo',
  integrations: '/admin/ajustes/integraciones',
  imports: '/admin/ajustes/importar',
  exports: '/admin/ajustes/exportar',
  import: (importId: number) => `/admin/ajustes/importar/${seg(importId)}`,
  /** The team with the dialog of an invitation open. */
  invite: '/admin/ajustes/equipo?invitar=0',
  /** A plain list of the catalogue: tipos, coaches, estudios, categorias, etiquetas, formas-de-pago. */
  catalogue: (list: string) => `/admin/catalogo/${seg(list)}`,
  /** The page of a coach. */
  coach: (instructorId: number) => `/admin/catalogo/coaches/${seg(instructorId)}`,
  /** The map of a room. */
  room: (roomId: number) => `/admin/catalogo/salas/${seg(roomId)}`,
  tillCount: (cashSessionId: number) => `/admin/caja/cortes/${seg(cashSessionId)}`,
  sale: (purchaseId: number) => `/admin/ventas/${seg(purchaseId)}`,
} as const

/**
 * The panel of a class with a change proposed: `room`, the id of a larger room; `hour`, another one ("19:00"), or null where it is still to
 * be chosen. Only the server makes these addresses, so they are apart from those that every screen loads.
 */
export const classChangePath = (singleClassId: number, day: string, proposed: { room: number } | { hour: string | null }) =>
  `${adminPaths.classInSchedule(singleClassId, day)}&${new URLSearchParams(
    'room' in proposed
      ? { hacer: 'cambiar-sala', en: String(proposed.room) }
      : { hacer: 'cambiar-hora', ...(proposed.hour === null ? {} : { hora: proposed.hour }) },
  )}`
