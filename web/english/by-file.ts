/** English of words that mean something else in other files, or that only these files show: single lower-case words are otherwise code. */
import { MONTHS_IN_ENGLISH } from '#contract/english/months.ts'
import type { Texts } from './texts.ts'

const SHORT_DAYS: Texts = { lun: 'Mon', mar: 'Tue', mié: 'Wed', jue: 'Thu', vie: 'Fri', sáb: 'Sat', dom: 'Sun' }

const LONG_DAYS: Texts = {
  lunes: 'Monday',
  martes: 'Tuesday',
  miércoles: 'Wednesday',
  jueves: 'Thursday',
  viernes: 'Friday',
  sábado: 'Saturday',
  domingo: 'Sunday',
}

export const byFile: Readonly<Record<string, Texts>> = {
  // The day after today; elsewhere it is the part of a day.
  'web/features/calendar/week-filters.tsx': { Mañana: 'Tomorrow' },
  'contract/time.ts': {
    ...MONTHS_IN_ENGLISH,
    ...LONG_DAYS,
    '{0} {1} de {2}': '{0} {1} {2}',
    segundo: 'second',
    segundos: 'seconds',
    minuto: 'minute',
    minutos: 'minutes',
    hora: 'hour',
    horas: 'hours',
    día: 'day',
    días: 'days',
  },
  'contract/allowed-times.ts': {
    ...SHORT_DAYS,
    ...LONG_DAYS,
    '{0} a {1}': '{0} to {1}',
    '{0} y {1}': '{0} and {1}',
    '{0} de {1} a {2}': '{0} from {1} to {2}',
  },
  'contract/copy/names.ts': { '{0} y {1}': '{0} and {1}' },
  'web/root.tsx': { 'es-MX': 'en' },
  'web/areas/site/service-worker.ts': { 'es-MX': 'en' },
  'web/areas/site/app-manifest.server.ts': { 'es-MX': 'en' },
  'web/areas/site/announcements.server.ts': { 'es-MX': 'en' },
  // Since the year in which it opened; elsewhere it is a price.
  'web/areas/site/landing.server.ts': { 'Desde {0}': 'Since {0}' },
  'web/areas/access/payment-link.tsx': { mes: 'month', meses: 'months' },
  'web/areas/account/credits.tsx': { ...SHORT_DAYS, Horarios: 'Hours' },
  'web/features/account/account-bar.tsx': { clase: 'class', clases: 'classes' },
  'web/features/account/address-card.tsx': { Estado: 'State' },
  'web/features/account/document-names.tsx': { ' y ': ' and ' },
  'web/features/booking/credit-text.ts': { ' clase': ' class', ' clases': ' classes', queda: 'have', quedan: 'have' },
  'web/features/booking/reserve-form.tsx': { disponible: 'available', disponibles: 'available' },
  'web/features/calendar/class-facts.ts': { ' y ': ' and ', reservada: 'booked' },
  'web/features/calendar/next-class.ts': { hoy: 'today' },
  'web/features/calendar/week-view.ts': { '{0} de {1}': '{0} {1}' },
  'web/features/checkout/checkout-package.tsx': { mes: 'month', año: 'year', cobro: 'charge' },
  'web/features/checkout/conekta-fields.tsx': { es: 'en' },
  'web/features/checkout/package-text.ts': { mes: 'month', meses: 'months', clase: 'class', clases: 'classes' },
  'web/features/checkout/payment-text.ts': { hora: 'hour', horas: 'hours' },
  'web/features/checkout/stripe-fields.tsx': { 'es-419': 'en' },
  'web/features/checkout/express-checkout.tsx': { 'es-419': 'en' },
  'web/features/checkout/subscription-card-dialog.tsx': { tarjeta: 'card' },
  'web/features/checkout/wallet-button.tsx': { es_MX: 'en_US' },
  'web/features/site/page-meta.tsx': { es_MX: 'en_US' },
  'web/features/site/language-button.tsx': { en: 'es-MX', English: 'Español' },
  'web/lib/language.ts': { 'es-MX': 'en' },
  'web/lib/identity-firebase.ts': { es: 'en' },
  'web/lib/wanted-class.ts': { ' y ': ' and ' },
  'web/ui/spot-map.tsx': { disponible: 'available', ocupado: 'taken', elegido: 'chosen' },
}
