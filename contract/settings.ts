/**
 * Every setting of a studio (spec 1 section 3, spec 2 section 3, decisions): key, schema, default, public or private.
 * Only public keys reach `GET /appconfig` (settled 28). Secrets are not settings: they come from the environment.
 */
import * as z from 'zod'
import { AUTOMATIC_EVENTS, type AutomaticEvent, CHANNELS, type Channel } from './channels.ts'
import { FONT_PAIRS } from './font-pairs.ts'
import { baseAddress, link } from './link-fields.ts'
import { parsePesos } from './money.ts'
import { REGIME_CODES } from './sat-catalogues.ts'
import { isZone, WINDOW_UNITS } from './time.ts'

interface Setting<S extends z.ZodType> {
  schema: S
  default: z.infer<S>
  public: boolean
}

const open = <S extends z.ZodType>(schema: S, fallback: z.infer<S>): Setting<S> => ({ schema, default: fallback, public: true })
const hidden = <S extends z.ZodType>(schema: S, fallback: z.infer<S>): Setting<S> => ({ schema, default: fallback, public: false })

const text = z.string().max(2_000)
const long = z.string().max(60_000)
const flag = z.boolean()
const colour = z.string().regex(/^#[0-9a-fA-F]{6}$/, 'Un color se escribe como #2B36D9.')
const count = z.int().min(0).max(100_000)
const order = z.int().min(0).max(1_000)
/** The largest id of the database. */
const optionalId = z.int().min(1).max(2_147_483_647).nullable()
/** A price in pesos, "220.00"; empty = none. */
const price = z
  .string()
  .refine((text) => text === '' || (parsePesos(text) ?? 0) > 0, 'Escribe un precio mayor que cero, como 220.00, o déjalo vacío.')
/** An amount of pesos, "50.00"; it may be zero. */
const amount = z.string().refine((text) => parsePesos(text) !== null, 'Escribe una cantidad en pesos, como 50.00.')
const phone = z.string().regex(/^\d{0,10}$/, 'El teléfono lleva diez dígitos.')

export const settings = {
  // Brand
  business_name: open(z.string().min(1).max(80), 'Estudio'),
  tagline: open(text, ''),
  primary: open(colour, '#2B36D9'),
  accent: open(colour, '#FFB000'),
  dark: open(colour, '#0F1236'),
  gray: open(colour, '#6B6E86'),
  light: open(colour, '#F6F4EE'),
  'primary-light': open(colour, '#DFE3FF'),
  theme_mode: open(z.enum(['dia', 'noche']), 'dia'),
  theme_shape: open(z.enum(['recta', 'suave', 'redonda']), 'suave'),
  theme_voice: open(z.enum(['ancha', 'normal', 'condensada']), 'normal'),
  theme_fonts: open(z.enum(FONT_PAIRS), 'archivo'),
  navbar_logo: open(link, ''),
  favicon: open(link, ''),
  social_media_image: open(link, ''),
  app_css: open(long, ''),
  head: open(long, ''),
  body: open(long, ''),
  bg_login: open(link, ''),
  bg_recovery: open(link, ''),
  bg_loading: open(link, ''),

  // The studio's tax data, shown on receipts
  business_legal_name: hidden(z.string().max(200), ''),
  business_rfc: hidden(
    z.string().regex(/^([A-ZÑ&]{3,4}\d{6}[A-Z0-9]{2}[0-9A])?$/, 'Un RFC tiene 12 o 13 caracteres en mayúsculas, como ABC010203XY9.'),
    '',
  ),
  /** Postal code of the tax domicile: the place of issue of invoices. */
  business_postal_code: hidden(z.string().regex(/^(\d{5})?$/, 'El código postal tiene cinco dígitos.'), ''),
  /** Key of the tax regime (c_RegimenFiscal); empty = not chosen. */
  business_regime: hidden(z.enum([...REGIME_CODES, ''] as [...typeof REGIME_CODES, '']), ''),
  invoice_series: hidden(z.string().regex(/^[A-Z0-9]{1,10}$/, 'Una serie son de una a diez letras mayúsculas o números.'), 'F'),
  /** Whether customers invoice their charges themselves, until the end of the month. */
  self_invoice: hidden(flag, true),
  /** The period of global invoices, for charges without a requested one. */
  global_invoice: hidden(z.enum(['off', 'day', 'month']), 'off'),
  /** Until when customers invoice a charge that is in a global invoice already; after `month` only the staff do. */
  self_invoice_until: hidden(z.enum(['month', 'year']), 'month'),
  /** How a charge leaves its global invoice: by a credit note, or the global one is cancelled and issued again without it. */
  global_leave: hidden(z.enum(['credit', 'replace']), 'credit'),
  /** Forms of payment (c_FormaPago) that the payment method does not determine. */
  invoice_form_card: hidden(z.enum(['04', '28']), '04'),
  invoice_form_oxxo: hidden(z.enum(['01', '31']), '01'),
  invoice_form_wallet: hidden(z.enum(['31', '06', '03']), '31'),
  invoice_form_other: hidden(z.enum(['01', '02', '03', '04', '06', '08', '28', '31']), '03'),
  /** VAT rate (IVA) in percent: frozen on each charge. */
  tax_rate: hidden(z.number().min(0).max(100).multipleOf(0.01), 16),
  /** Whether prices include it. Off: charges are recorded without IVA. */
  tax_included: hidden(flag, true),
  /**
   * Price of a single place in a class at the counter, in pesos, where neither the class nor its type has one; empty = not sold alone
   * (V45).
   */
  drop_in_price: hidden(price, ''),

  // The counter and the till
  pos_discount_max_percent: hidden(z.int().min(0).max(100), 10),
  pos_refund_max: hidden(amount, '0.00'),
  payment_terminal_fields_required: hidden(flag, false),
  cash_session_required: hidden(flag, true),
  cash_blind_count: hidden(flag, true),
  cash_difference_max: hidden(amount, '50.00'),

  // The timetable as the studio plans it
  /** Changes are gathered as drafts until they are published. Off: each is published at once. */
  schedule_drafts: hidden(flag, true),
  /** How many weeks ahead a series without end is on the calendar. */
  schedule_weeks_ahead: hidden(z.int().min(1).max(52), 8),
  /** Minutes that a coach needs between two locations: less is a conflict. */
  coach_travel_minutes: hidden(z.int().min(0).max(240), 30),
  /** Below this percentage of taken places a class of the same day is shown as nearly empty; 0 = never. */
  low_attendance_percent: hidden(z.int().min(0).max(100), 30),
  /** Whether the studio has to approve the coach who accepted a substitution before the class changes. */
  substitution_approval: hidden(flag, false),

  // Pay of the coaches
  payroll_period: hidden(z.enum(['quincena', 'mes']), 'quincena'),

  // Place and time
  domain: open(text, ''),
  location: open(text, ''),
  timezone: open(
    z.string().refine((zone) => zone === '' || isZone(zone), 'Esa zona horaria no existe.'),
    'America/Mexico_City',
  ),
  /** Hours that the studio is behind UTC; -14 to 12 covers all zones. */
  timezone_offset: open(z.number().min(-14).max(12), 6),
  /** Languages in which customers can read the interface, the default one first; what the studio writes is not translated. */
  languages: open(z.enum(['es-MX', 'es-MX,en']), 'es-MX'),
  certification_host: open(text, ''),
  certification_link: open(link, ''),

  // Files
  S3_ENDPOINT: open(baseAddress, ''),
  bucket: open(
    z
      .string()
      .regex(/^[a-z0-9.-]*$/, 'Minúsculas, números, puntos y guiones.')
      .max(63),
    '',
  ),
  region: open(
    z
      .string()
      .regex(/^[a-z0-9-]*$/, 'Minúsculas, números y guiones, como us-east-1.')
      .max(40),
    '',
  ),
  files_location: open(text, 'server'),
  filesBaseSrc: open(baseAddress, ''),
  /** A whole export every Sunday, where files are stored. */
  weekly_export: hidden(flag, false),

  // Contact
  email: open(z.union([z.literal(''), z.email('Escribe un correo completo, como hola@estudio.mx.')]), ''),
  whatsapp: open(phone, ''),
  whatsapp_widget: open(flag, false),
  facebook: open(link, ''),
  instagram: open(link, ''),
  tiktok: open(link, ''),

  // Banner and daily pop-up
  banner_enabled: open(flag, false),
  banner_text: open(text, ''),
  banner_link: open(link, ''),
  popup_presencial_enabled: open(flag, false),
  popup_presencial_src: open(link, ''),
  popup_presencial_link: open(link, ''),

  // Landing: switches, order, texts
  hero_enabled: open(flag, true),
  about_enabled: open(flag, true),
  mission_enabled: open(flag, true),
  class_types_enabled: open(flag, true),
  coaches_enabled: open(flag, true),
  packages_enabled: open(flag, true),
  landing_announcements_enabled: open(flag, true),
  schedule_enabled: open(flag, true),
  location_enabled: open(flag, false),
  hero_order: open(order, 1),
  about_order: open(order, 2),
  mission_order: open(order, 3),
  class_types_order: open(order, 4),
  coaches_order: open(order, 5),
  packages_order: open(order, 6),
  announcements_order: open(order, 7),
  schedule_order: open(order, 8),
  location_order: open(order, 9),
  hero_title: open(text, ''),
  hero_text: open(text, ''),
  hero_image: open(link, ''),
  hero_video: open(link, ''),
  hero_link: open(link, ''),
  hero_link_text: open(text, ''),
  /** Whether the average of the studio's own ratings is public, from twenty of them on. */
  rating_public: open(flag, false),
  /** The year in which the studio opened; null = not shown. */
  opened_year: open(z.int().min(1900).max(2100).nullable(), null),
  reviews_link: open(link, ''),
  about_title: open(text, ''),
  about_text: open(long, ''),
  about_image: open(link, ''),
  about_link: open(link, ''),
  about_link_text: open(text, ''),
  mission_title: open(text, ''),
  mission_text: open(long, ''),
  mission_image: open(link, ''),
  mission_link: open(link, ''),
  mission_link_text: open(text, ''),

  // Identity
  /**
   * A Google project. An incomplete configuration is refused: the server would read it as none and the browser as one, and all
   * log-ins would fail.
   */
  firebaseConfig: open(
    z
      .record(z.string(), z.string())
      .refine(({ apiKey, projectId }) => Boolean(apiKey && projectId), 'Faltan apiKey o projectId de tu proyecto.')
      .nullable(),
    null,
  ),
  /** 'Continuar con Google', where `firebaseConfig` is set and its project has Google sign-in enabled (settled 10). */
  google_sign_in: open(flag, false),
  email_enumeration_protection: open(flag, false),
  password_min_length: open(z.int().min(6).max(30), 6),
  password_max_length: open(z.int().min(30).max(4096).nullable(), null),
  password_lowercase: open(flag, false),
  password_uppercase: open(flag, false),
  password_numeric: open(flag, false),
  password_symbol: open(flag, false),
  /** Staff without a second factor have no staff access until they enrol one (P17). */
  staff_second_factor_required: hidden(flag, false),
  /** Hours after which a sign-in of staff is over (P16). At most the 90 days of every session. */
  staff_session_hours: hidden(z.int().min(1).max(2160), 12),

  // Sales
  class_packages_name: open(z.string().min(1).max(60), 'Paquetes'),
  class_packages_path: open(z.string().regex(/^\/[a-z0-9][a-z0-9-]*$/, 'Escribe una ruta como /paquetes.'), '/paquetes'),
  discounts_enabled: open(flag, false),
  cash_checkout_enabled: open(flag, false),
  checkout_disabled: open(flag, false),
  paypal_enabled: open(flag, false),
  paypal_client_id: open(text, ''),
  payment_sources_enabled: open(flag, true),
  payment_sources: open(text, ''),
  subscriptions_enabled: open(flag, true),
  stripe_public: open(text, ''),
  stripe_checkout_mode: open(z.enum(['embedded', 'session']), 'embedded'),
  express_checkout_enabled: hidden(flag, false),
  conekta_public: open(text, ''),
  oxxo_enabled: open(flag, false),
  spei_enabled: open(flag, false),
  checkout_redirect_url: open(link, ''),
  gift_cards_on_site: open(flag, false),
  /** Pesos, separated by commas. */
  gift_card_amounts: open(
    z.string().regex(/^ *\d{2,5} *(, *\d{2,5} *){0,9}$/, 'Escribe hasta diez cantidades en pesos, separadas por comas: 500, 1000.'),
    '500, 1000, 2000',
  ),
  signup_fee: open(optionalId, null),
  subscription_cancel_reason_required: open(flag, true),
  cash_hold_hours: open(z.int().min(1).max(720), 48),
  payment_link_hours: hidden(z.int().min(1).max(336), 48),
  refund_late_payments: hidden(flag, true),
  trial_once_per_customer: hidden(flag, true),
  trial_once_per_card: hidden(flag, true),
  subscription_grace_days: hidden(z.int().min(0).max(30), 7),
  renewal_notice_days: hidden(z.int().min(1).max(30), 5),

  // Calendar and reservations
  single_class_enabled: open(flag, false),
  reservation_timeframe_hours: open(count, 0),
  reservation_timeframe_minutes: open(count, 0),
  reservation_opens_days: open(count, 0),
  allow_cancel_reservations: open(flag, true),
  allow_cancel_after_treshold: open(flag, false),
  cancel_timeframe_value: open(count.nullable(), null),
  cancel_timeframe_unit: open(z.enum(WINDOW_UNITS), 'hours'),
  max_cancels_per_available_class: open(count.nullable(), null),
  allow_class_guests: open(flag, false),
  allow_restricted_class_types: open(flag, false),
  allow_restricted_times: open(flag, false),
  reservation_rating_enabled: open(flag, true),
  qrcode_enabled: open(flag, true),
  undo_minutes: open(z.int().min(0).max(120), 5),
  /** Minutes for which the class that a purchase is for is held while it is paid; 0 = not held. */
  hold_while_paying: open(z.int().min(0).max(60), 0),
  courtesy_days: hidden(z.int().min(1).max(90), 7),
  no_show_grace_hours: hidden(z.int().min(0).max(72), 2),

  // Waitlist and penalties
  waitlist_enabled: open(flag, false),
  waitlist_mode: open(z.enum(['todos', 'oferta', 'auto']), 'todos'),
  waitlist_offer_minutes: open(z.int().min(5).max(1440), 30),
  /** This many minutes before booking closes, the whole waitlist is notified at once, in every mode. */
  waitlist_tell_all_minutes: hidden(z.int().min(0).max(1440), 60),
  unlimited_membership_penalties_enabled: open(flag, false),
  unlimited_max_no_shows_for_penalty: open(z.int().min(1).max(50), 3),
  unlimited_penalty_days: open(z.int().min(1).max(365), 7),

  // Videos
  videos_enabled: open(flag, false),

  // Messages
  messages_per_person_week: hidden(z.int().min(1).max(20), 3),
  quiet_hours_start: hidden(z.int().min(0).max(23), 22),
  quiet_hours_end: hidden(z.int().min(0).max(23), 8),
  reminder_hours: hidden(z.int().min(1).max(72), 12),
  /** The email about the last week, to the owners on Monday morning. */
  weekly_email: hidden(flag, true),
  credit_notice_days: hidden(z.int().min(1).max(60), 5),
  /** Channels of events that differ from the defaults. */
  message_channels: hidden(
    z.partialRecord(z.enum(AUTOMATIC_EVENTS as [AutomaticEvent, ...AutomaticEvent[]]), z.array(z.enum(CHANNELS)).max(CHANNELS.length)),
    {} as Partial<Record<AutomaticEvent, Channel[]>>,
  ),

  // Profile: the forms shown at sign-up and in "Mi Información", and whether a booking requires a complete profile
  signup_form_id: open(optionalId, null),
  profile_form_id: open(optionalId, null),
  profile_required_to_reserve: open(flag, false),
} satisfies Record<string, Setting<z.ZodType>>

export type SettingKey = keyof typeof settings
/** A studio's settings, with defaults. */
export type Settings = { readonly [K in SettingKey]: z.infer<(typeof settings)[K]['schema']> }

type Ordered<Key> = Key extends `${infer Section}_order` ? Section : never
/** The sections of the landing page: what has an order among the settings. Each list of sections that lacks one does not compile. */
export type LandingSection = Ordered<SettingKey>

export const settingKeys = Object.keys(settings) as SettingKey[]

/** The keys that `GET /appconfig` may return. */
export const publicKeys = settingKeys.filter((key) => settings[key].public)

/** Defaults of every setting. */
export const defaultSettings = Object.fromEntries(settingKeys.map((key) => [key, settings[key].default])) as Settings

/** Whether a text is the key of a setting. */
export function isSettingKey(key: string): key is SettingKey {
  return Object.hasOwn(settings, key)
}

/** One setting on the wire (S1-3.01): a key and its JSON value. */
export const settingPair = z.object({ key: z.string(), value: z.json() })

/** Settings from the wire's list of pairs; unknown keys are ignored, missing or invalid values get their default. */
export function settingsFromPairs(pairs: readonly { key: string; value: unknown }[]): Settings {
  const filled: Record<string, unknown> = { ...defaultSettings }
  for (const { key, value } of pairs) {
    if (!isSettingKey(key)) continue
    const read = settings[key].schema.safeParse(value)
    if (read.success) filled[key] = read.data
  }
  return filled as Settings
}

/** How long before its start booking of a class closes, in milliseconds (S2-5.12, settled 4). */
export const bookingCutoffMs = (read: Pick<Settings, 'reservation_timeframe_hours' | 'reservation_timeframe_minutes'>): number =>
  (read.reservation_timeframe_hours * 60 + read.reservation_timeframe_minutes) * 60_000

/** The zone of the studio: `timezone`, or the fixed offset when a studio sets no zone (settled 1). */
export function studioZone(read: Settings): string {
  if (read.timezone) return read.timezone
  const hours = Math.trunc(read.timezone_offset)
  return `Etc/GMT${hours >= 0 ? '+' : ''}${hours}`
}

/**
 * Base URL of files: `filesBaseSrc`, this server, or the bucket's endpoint, built from bucket and region when missing (S1-3.07, S1-3.08,
 * settled 45).
 */
export function filesBase(read: Settings): string {
  if (read.filesBaseSrc) return read.filesBaseSrc.replace(/\/$/, '')
  if (read.files_location === 'server') return ''
  if (read.S3_ENDPOINT) return read.S3_ENDPOINT.replace(/\/$/, '')
  return read.bucket && read.region ? `https://${read.bucket}.s3.${read.region}.amazonaws.com` : ''
}
