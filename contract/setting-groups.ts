/**
 * Where each setting is edited and where its effect shows: the groups of the settings screens, in order. Every setting is in exactly one
 * group: one without a group does not compile, one in two groups fails `setting-groups.test.ts`.
 */
import { adminPaths } from './admin-paths.ts'
import { giftCardsPath, paths } from './paths.ts'
import type { SettingArea } from './setting-areas.ts'
import type { SettingKey } from './settings.ts'

export interface SettingGroup {
  area: SettingArea
  /** Heading, es-MX. */
  title: string
  /** Addresses of the pages that show or apply these settings; empty: none that can be opened, such as a message. */
  shown_on: readonly string[]
  keys: readonly SettingKey[]
}

/** The default path of the packages; the server puts the studio's own in its place. */
export const PACKAGES_PATH = '/paquetes'
const SCHEDULE = adminPaths.schedule

const groups = [
  // Brand
  { area: 'marca', title: 'Nombre', shown_on: [paths.home], keys: ['business_name', 'tagline'] },
  {
    area: 'marca',
    title: 'Colores',
    shown_on: [paths.home, paths.schedule],
    keys: ['primary', 'accent', 'dark', 'gray', 'light', 'primary-light'],
  },
  {
    area: 'marca',
    title: 'Carácter',
    shown_on: [paths.home, paths.schedule],
    keys: ['theme_mode', 'theme_fonts', 'theme_voice', 'theme_shape'],
  },
  { area: 'marca', title: 'Logo e imágenes', shown_on: [paths.home], keys: ['navbar_logo', 'favicon', 'social_media_image'] },
  {
    area: 'marca',
    title: 'Fondos',
    shown_on: [paths.login, paths.recovery],
    keys: ['bg_login', 'bg_recovery', 'bg_loading'],
  },

  // Landing page
  {
    area: 'portada',
    title: 'Secciones',
    shown_on: [paths.home],
    keys: [
      ...(['hero_enabled', 'about_enabled', 'mission_enabled', 'class_types_enabled', 'coaches_enabled', 'packages_enabled'] as const),
      ...(['landing_announcements_enabled', 'schedule_enabled', 'location_enabled', 'hero_order', 'about_order'] as const),
      ...(['mission_order', 'class_types_order', 'coaches_order', 'packages_order', 'announcements_order'] as const),
      ...(['schedule_order', 'location_order'] as const),
    ],
  },
  { area: 'portada', title: 'Banda de aviso', shown_on: [paths.home], keys: ['banner_enabled', 'banner_text', 'banner_link'] },
  {
    area: 'portada',
    title: 'Anuncio al entrar',
    shown_on: [paths.home],
    keys: ['popup_presencial_enabled', 'popup_presencial_src', 'popup_presencial_link'],
  },
  {
    area: 'portada',
    title: 'Bienvenida',
    shown_on: [paths.home],
    keys: ['hero_title', 'hero_text', 'hero_image', 'hero_video', 'hero_link_text', 'hero_link'],
  },
  {
    area: 'portada',
    title: 'Confianza',
    shown_on: [paths.home],
    keys: ['rating_public', 'opened_year', 'reviews_link'],
  },
  {
    area: 'portada',
    title: 'Nosotros',
    shown_on: [paths.home],
    keys: ['about_title', 'about_text', 'about_image', 'about_link_text', 'about_link'],
  },
  {
    area: 'portada',
    title: 'Misión',
    shown_on: [paths.home],
    keys: ['mission_title', 'mission_text', 'mission_image', 'mission_link_text', 'mission_link'],
  },

  // Contact and place
  { area: 'contacto', title: 'Contacto', shown_on: [paths.location], keys: ['email', 'whatsapp', 'whatsapp_widget'] },
  { area: 'contacto', title: 'Redes', shown_on: [paths.home], keys: ['instagram', 'facebook', 'tiktok'] },
  { area: 'contacto', title: 'Idiomas', shown_on: [paths.home, paths.mystudio.profile], keys: ['languages'] },
  { area: 'contacto', title: 'Lugar y hora', shown_on: [paths.schedule], keys: ['location', 'domain', 'timezone', 'timezone_offset'] },

  // Reservations
  {
    area: 'reservas',
    title: 'Cuándo se reserva',
    shown_on: [paths.schedule, paths.mystudio.calendar],
    keys: ['reservation_opens_days', 'reservation_timeframe_hours', 'reservation_timeframe_minutes'],
  },
  {
    area: 'reservas',
    title: 'Cancelar',
    shown_on: [paths.mystudio.reservations],
    keys: [
      ...(['allow_cancel_reservations', 'cancel_timeframe_value', 'cancel_timeframe_unit', 'allow_cancel_after_treshold'] as const),
      ...(['max_cancels_per_available_class', 'undo_minutes', 'courtesy_days'] as const),
    ],
  },
  {
    area: 'reservas',
    title: 'Qué puede hacer quien reserva',
    shown_on: [paths.mystudio.calendar],
    keys: [
      ...(['allow_class_guests', 'allow_restricted_class_types', 'allow_restricted_times', 'qrcode_enabled'] as const),
      ...(['reservation_rating_enabled', 'single_class_enabled', 'hold_while_paying'] as const),
    ],
  },
  {
    area: 'reservas',
    title: 'Tu horario',
    shown_on: [SCHEDULE],
    keys: [
      'schedule_drafts',
      'schedule_weeks_ahead',
      'coach_travel_minutes',
      'substitution_approval',
      'low_attendance_percent',
      'payroll_period',
    ],
  },

  // Waitlist and no-shows
  {
    area: 'espera',
    title: 'Lista de espera',
    shown_on: [paths.mystudio.waitlists],
    keys: ['waitlist_enabled', 'waitlist_mode', 'waitlist_offer_minutes', 'waitlist_tell_all_minutes'],
  },
  {
    area: 'espera',
    title: 'Faltas',
    shown_on: [paths.mystudio.calendar, SCHEDULE],
    keys: [
      ...(['no_show_grace_hours', 'unlimited_membership_penalties_enabled', 'unlimited_max_no_shows_for_penalty'] as const),
      'unlimited_penalty_days',
    ],
  },

  // Payments
  {
    area: 'pagos',
    title: 'Qué se vende',
    shown_on: [PACKAGES_PATH],
    keys: [
      ...(['checkout_disabled', 'class_packages_name', 'class_packages_path', 'subscriptions_enabled', 'discounts_enabled'] as const),
      ...(['signup_fee', 'drop_in_price', 'trial_once_per_customer', 'trial_once_per_card'] as const),
    ],
  },
  { area: 'pagos', title: 'Tarjetas de regalo', shown_on: [giftCardsPath], keys: ['gift_cards_on_site', 'gift_card_amounts'] },
  {
    area: 'pagos',
    title: 'Formas de pago',
    shown_on: [PACKAGES_PATH],
    keys: [
      ...([
        'cash_checkout_enabled',
        'cash_hold_hours',
        'payment_link_hours',
        'oxxo_enabled',
        'spei_enabled',
        'payment_sources_enabled',
      ] as const),
      ...(['payment_sources', 'checkout_redirect_url', 'refund_late_payments'] as const),
    ],
  },
  {
    area: 'pagos',
    title: 'Procesadores',
    shown_on: [PACKAGES_PATH],
    keys: ['stripe_public', 'stripe_checkout_mode', 'express_checkout_enabled', 'conekta_public', 'paypal_enabled', 'paypal_client_id'],
  },
  {
    area: 'pagos',
    title: 'Suscripciones',
    shown_on: [paths.mystudio.purchases],
    keys: ['subscription_grace_days', 'renewal_notice_days', 'subscription_cancel_reason_required'],
  },
  {
    area: 'pagos',
    title: 'Recepción y caja',
    shown_on: [adminPaths.newSale, adminPaths.till],
    keys: [
      ...(['pos_discount_max_percent', 'pos_refund_max', 'payment_terminal_fields_required', 'cash_session_required'] as const),
      ...(['cash_blind_count', 'cash_difference_max'] as const),
    ],
  },
  {
    area: 'pagos',
    title: 'Impuestos y comprobantes',
    shown_on: [paths.mystudio.invoices],
    keys: ['tax_rate', 'tax_included', 'business_legal_name', 'business_rfc'],
  },
  {
    area: 'pagos',
    title: 'Facturas (CFDI)',
    shown_on: [adminPaths.salesTab('facturas'), paths.mystudio.invoices],
    keys: [
      ...(['business_regime', 'business_postal_code', 'invoice_series', 'self_invoice', 'self_invoice_until', 'global_invoice'] as const),
      'global_leave',
      ...(['invoice_form_card', 'invoice_form_oxxo', 'invoice_form_wallet', 'invoice_form_other'] as const),
    ],
  },

  // Messages
  { area: 'mensajes', title: 'Promociones', shown_on: [], keys: ['messages_per_person_week'] },
  { area: 'mensajes', title: 'Horas', shown_on: [], keys: ['quiet_hours_start', 'quiet_hours_end'] },
  { area: 'mensajes', title: 'Recordatorios', shown_on: [paths.mystudio.messages], keys: ['reminder_hours', 'credit_notice_days'] },
  { area: 'mensajes', title: 'Para la propiedad', shown_on: [], keys: ['weekly_email'] },
  { area: 'mensajes', title: 'Medios', shown_on: [paths.mystudio.messages], keys: ['message_channels'] },

  // Accounts
  {
    area: 'cuentas',
    title: 'Formularios',
    shown_on: [paths.signup, paths.mystudio.profile],
    keys: ['signup_form_id', 'profile_form_id', 'profile_required_to_reserve'],
  },
  {
    area: 'cuentas',
    title: 'Contraseñas',
    shown_on: [paths.signup, paths.recovery],
    keys: [
      ...(['password_min_length', 'password_max_length', 'password_lowercase', 'password_uppercase', 'password_numeric'] as const),
      'password_symbol',
    ],
  },
  {
    area: 'cuentas',
    title: 'Entrar',
    shown_on: [paths.login],
    keys: ['email_enumeration_protection', 'google_sign_in', 'firebaseConfig', 'staff_second_factor_required', 'staff_session_hours'],
  },

  { area: 'videos', title: 'Videos', shown_on: [paths.mystudio.online], keys: ['videos_enabled'] },
  {
    area: 'archivos',
    title: 'Dónde se guardan',
    shown_on: [],
    keys: ['files_location', 'S3_ENDPOINT', 'bucket', 'region', 'filesBaseSrc'],
  },
  { area: 'archivos', title: 'Exportación', shown_on: [], keys: ['weekly_export'] },
  { area: 'avanzado', title: 'Código propio', shown_on: [paths.home], keys: ['app_css', 'head', 'body'] },
  { area: 'avanzado', title: 'Certificación', shown_on: [paths.home], keys: ['certification_host', 'certification_link'] },
] as const satisfies readonly SettingGroup[]

type Ungrouped = Exclude<SettingKey, (typeof groups)[number]['keys'][number]>
/** Does not compile while a setting is in no group; the error names it. */
const everySetting: [Ungrouped] extends [never] ? readonly SettingGroup[] : Ungrouped = groups

/** The groups of the settings screens, in order. */
export const settingGroups: readonly SettingGroup[] = everySetting

const groupByKey = new Map<SettingKey, SettingGroup>(settingGroups.flatMap((group) => group.keys.map((key) => [key, group])))

/** The group of a setting. */
export function groupOf(key: SettingKey): SettingGroup {
  const group = groupByKey.get(key)
  if (!group) throw new Error(`setting ${key} has no group`)
  return group
}

/** All settings in the order of their groups. */
export const groupedKeys: readonly SettingKey[] = settingGroups.flatMap((group) => group.keys)
