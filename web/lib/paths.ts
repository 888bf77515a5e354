/** Every address of the site and of the signed-in area, built here and nowhere else (spec 1 section 2, spec 2 section 2); the administration's are in `admin-paths.ts`. */
import { ACTION_PATH } from '#contract/identity.ts'
import type { Area } from '#contract/rendering.ts'
import { LOOKED_UP, returnPath } from '#contract/return-path.ts'
import type { Settings } from '#contract/settings.ts'

type PackagesPath = Pick<Settings, 'class_packages_path'>

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
  /** Where the link of an invitation to the staff leads; whoever accepts it has logged in. */
  invitation: (token: string) => `/cuenta/invitacion/${seg(token)}`,
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

/** Capitals count for nothing, as in the router. */
const AREAS: readonly (readonly [RegExp, Area])[] = [
  [/^\/(?:checkout(?:\/|$)|mystudio\/metodos(?:\/|$)|tarjeta\/[^/]+\/?$)/i, 'card'],
  // Only here may players of others stand in a frame.
  [/^\/mystudio\/video(?:\/|$)/i, 'video'],
  [/^\/(?:mystudio|gracias)(?:\/|$)/i, 'account'],
  [/^\/(?:entrar|registro|recuperar|seguridad|cuenta\/(?:accion|invitacion\/[^/]+)|espera\/[^/]+)\/?$/i, 'access'],
  [/^\/admin(?:\/|$)/i, 'admin'],
]

/** Which part an address belongs to. Going from one to another is a full load, never a step inside the page. */
export function areaOf(address: string): Area {
  const path = address.split(/[?#]/)[0] ?? ''
  return AREAS.find(([pattern]) => pattern.test(path))?.[1] ?? 'site'
}

/** Whether a link leads to another part of the product. */
export function crossesAreas(from: string, to: string): boolean {
  return areaOf(from) !== areaOf(to)
}

/** The way back after log-in, from `?volver=`: one of our own paths, never another site and never the log-in itself. */
export function pathAfterLogin(search: string, fallback: string = paths.mystudio.calendar): string {
  const asked = new URLSearchParams(search).get('volver')
  if (!asked?.startsWith('/') || /^\/[/\\]|[\s\\]/.test(asked)) return fallback
  return areaOf(asked) === 'access' && asked !== paths.security && !asked.startsWith(paths.invitation('')) ? fallback : asked
}

/**
 * How to follow a link that the studio typed (banner, hero, pop-up): a path of ours and links within `domain` stay in the
 * app, others open in a new tab (S1-2.51).
 */
export function followLink(link: string, domain: string): { to: string; newTab: boolean } {
  if (link.startsWith('/') && !link.startsWith('//')) return { to: link, newTab: false }
  const own = domain
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/\/.*$/, '')
  try {
    const url = new URL(link)
    if (own && (url.protocol === 'https:' || url.protocol === 'http:') && (url.host === own || url.host.endsWith(`.${own}`)))
      return url.host === own ? { to: `${url.pathname}${url.search}${url.hash}`, newTab: false } : { to: link, newTab: false }
  } catch {
    // Not an address of the web: mailto and tel are followed as they are.
  }
  return { to: link, newTab: /^https?:/i.test(link) }
}
