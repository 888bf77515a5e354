/**
 * Every address of the site and of the signed-in area, built here and nowhere else, for pages and for messages (spec 1 section 2, spec 2 section 2).
 * The administration's are in web/lib/admin-paths.ts.
 */
import { ACTION_PATH } from './identity.ts'
import { LOOKED_UP, returnPath } from './return-path.ts'
import type { Settings } from './settings.ts'

export type PackagesPath = Pick<Settings, 'class_packages_path'>

const seg = (value: string | number) => encodeURIComponent(String(value))

export const paths = {
  home: '/',
  schedule: '/calendario',
  announcements: '/avisos',
  location: '/ubicacion',
  questions: '/preguntas-frecuentes',
  coach: (coachId: number) => `/coach/${seg(coachId)}`,
  instructor: (instructorId: number) => `/instructor/${seg(instructorId)}`,
  classType: (classTypeId: number) => `/class_type/${seg(classTypeId)}`,
  /** `/paquetes`, or where the studio put it (S1-2.20). */
  packages: (settings: PackagesPath) => settings.class_packages_path,
  /** A content page, by its slug (S1-2.24). */
  page: (slug: string) => `/${seg(slug)}`,

  login: '/entrar',
  signup: '/registro',
  recovery: '/recuperar',
  /** Second factor and sessions, also of staff who are no customers. */
  security: '/seguridad',
  /** Where the links in the identity service's mails lead. */
  mailAction: ACTION_PATH,
  /** Log in, then come back (spec 2 section 2, Calendar). */
  loginThen: (back: string) => `/entrar?volver=${seg(back)}`,
  signupThen: (back: string) => `/registro?volver=${seg(back)}`,

  /** Where the link to a place that is held for somebody in a waitlist leads; the token is the permission. */
  offer: (token: string) => `/espera/${seg(token)}`,
  /** another card for a subscription, from a mail */
  cardChange: (token: string) => `/tarjeta/${seg(token)}`,

  checkout: (classPackageId: number) => `/checkout/${seg(classPackageId)}`,
  /** `purchase_id`, or `payment_id` after a card payment (S1-2.23). */
  thanks: (purchaseId: number) => `/gracias/${seg(purchaseId)}`,
  /** The same order, looked up later: it says what it is, and celebrates nothing again. */
  order: (purchaseId: number) => `/gracias/${seg(purchaseId)}?${LOOKED_UP}=1`,
  /** The same, of a payment that is on its way. */
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
    /** The same shop, at what is watched at home. */
    onlinePackages: (settings: PackagesPath) => `/mystudio${settings.class_packages_path}?ver=online`,
    profile: '/mystudio/informacion',
    purchases: '/mystudio/membresias',
    invoices: '/mystudio/pagos',
    cards: '/mystudio/metodos',
    credits: '/mystudio/creditos',
    /** What the studio told me, and by which ways it may. */
    messages: '/mystudio/mensajes',
  },
} as const

/** Addresses that only messages lead to; apart from `paths`, which every public page brings along. */
export const messagePaths = {
  /** The calendar of a day, with the classes that can be taken instead of one. */
  insteadOf: (singleClassId: number, day: string) => `/mystudio?semana=${seg(day)}&otras=${seg(singleClassId)}`,
  /** Where the link of an invitation to the staff leads; whoever accepts it has logged in. */
  invitation: (token: string) => `/cuenta/invitacion/${seg(token)}`,
  rateVideo: (videoId: number) => `/mystudio/video/${seg(videoId)}?calificar=1`,
} as const
