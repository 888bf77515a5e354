/**
 * Every URL of the site and of the signed-in area, built here and nowhere else, for pages and messages (spec 1 section 2, spec 2 section
 * 2). Those of the administration are in contract/admin-paths.ts.
 */
import { ACTION_PATH } from './identity.ts'
import { LOOKED_UP, returnPath } from './return-path.ts'
import type { Settings } from './settings.ts'

export type PackagesPath = Pick<Settings, 'class_packages_path'>

const seg = (value: string | number) => encodeURIComponent(String(value))

const UNSUBSCRIBE_PATH = '/baja/'

/** The address of the API that stops promotions with one request of a mail program (RFC 8058), for the path of the page that does. */
export const oneClickPath = (unsubscribePath: string): string =>
  `/api/one_click_unsubscribe/${unsubscribePath.slice(UNSUBSCRIBE_PATH.length)}`

export const paths = {
  home: '/',
  schedule: '/calendario',
  announcements: '/avisos',
  location: '/ubicacion',
  questions: '/preguntas-frecuentes',
  coach: (coachId: number) => `/coach/${seg(coachId)}`,
  instructor: (instructorId: number) => `/instructor/${seg(instructorId)}`,
  classType: (classTypeId: number) => `/class_type/${seg(classTypeId)}`,
  /** `/paquetes`, or the path in the settings (S1-2.20). */
  packages: (settings: PackagesPath) => settings.class_packages_path,
  /** A content page, by its slug (S1-2.24). */
  page: (slug: string) => `/${seg(slug)}`,

  login: '/entrar',
  signup: '/registro',
  recovery: '/recuperar',
  /** Second factor and sessions, also for staff who are not customers. */
  security: '/seguridad',
  /** Target of the links in the identity service's mails. */
  mailAction: ACTION_PATH,
  /** Log in, then return to `back` (spec 2 section 2, Calendar). */
  loginThen: (back: string) => `/entrar?volver=${seg(back)}`,
  signupThen: (back: string) => `/registro?volver=${seg(back)}`,

  checkout: (classPackageId: number) => `/checkout/${seg(classPackageId)}`,
  /** `purchase_id`, or `payment_id` after a card payment (S1-2.23). */
  thanks: (purchaseId: number) => `/gracias/${seg(purchaseId)}`,
  /** The same order opened later from a list: shown without the celebration. */
  order: (purchaseId: number) => `/gracias/${seg(purchaseId)}?${LOOKED_UP}=1`,
  /** The same for a payment in progress. */
  paying: returnPath,

  mystudio: {
    calendar: '/mystudio',
    /** The calendar with the reserve dialog of one class open. */
    reserve: (singleClassId: number) => `/mystudio?clase=${seg(singleClassId)}`,
    /** The same, on the day of the class. */
    classOn: (singleClassId: number, day: string) => `/mystudio?dia=${seg(day)}&clase=${seg(singleClassId)}`,
    online: '/mystudio/online',
    video: (videoId: number) => `/mystudio/video/${seg(videoId)}`,
    reservations: '/mystudio/reservaciones',
    waitlists: '/mystudio/waitlists',
    packages: (settings: PackagesPath) => `/mystudio${settings.class_packages_path}`,
    /** The packages page, filtered to those for online videos. */
    onlinePackages: (settings: PackagesPath) => `/mystudio${settings.class_packages_path}?ver=online`,
    profile: '/mystudio/informacion',
    purchases: '/mystudio/membresias',
    invoices: '/mystudio/pagos',
    /** The same, to request an invoice: also where Mis Cargos is not in the menu. */
    toInvoice: '/mystudio/pagos?facturar=1',
    cards: '/mystudio/metodos',
    credits: '/mystudio/creditos',
    /** Notifications, and the channels that they may be sent by. */
    messages: '/mystudio/mensajes',
  },
} as const

/** Where gift cards are bought; separate from `paths`, which every public page loads. */
export const giftCardsPath = '/tarjetas-de-regalo'

/** URLs that only messages link to; separate from `paths`, which every public page loads. */
export const messagePaths = {
  /** Target of the link to a place held for a waitlisted customer; the signed token is the permission. */
  offer: (token: string) => `/espera/${seg(token)}`,
  /** Target of the link with which a guest takes the place held for them; the signed token is the permission. */
  guestInvite: (token: string) => `/ven/${seg(token)}`,
  /** Stops promotions, from a message; the signed token is the permission. */
  unsubscribe: (token: string) => `${UNSUBSCRIBE_PATH}${seg(token)}`,
  /** changing the card of a subscription, from a mail */
  cardChange: (token: string) => `/tarjeta/${seg(token)}`,
  /** The calendar of a day, with the alternatives to one class. */
  insteadOf: (singleClassId: number, day: string) => `/mystudio?semana=${seg(day)}&otras=${seg(singleClassId)}`,
  /** Target of the link of a staff invitation, which requires log-in. */
  invitation: (token: string) => `/cuenta/invitacion/${seg(token)}`,
  /** Target of the link that claims a new studio; printed when the program starts. */
  firstOwner: (token: string) => `/cuenta/nuevo-estudio/${seg(token)}`,
  /** Target of the link that pays an order of the counter; the signed token is the permission. */
  paymentLink: (token: string) => `/pagar/${seg(token)}`,
  rateVideo: (videoId: number) => `/mystudio/video/${seg(videoId)}?calificar=1`,
} as const
