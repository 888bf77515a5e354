/**
 * What each setting is called, what it means and how it is edited: for the editor of the administration and for the OpenAPI document. A setting
 * without an entry does not compile. Apart from contract/settings.ts because public pages load that file and need none of these words.
 */
import * as z from 'zod'
import type { SettingInfo } from './content.ts'
import { type SettingKey, settings } from './settings.ts'

/** The screens of the settings, in their order. */
export const SETTING_AREAS = {
  marca: 'Marca',
  portada: 'Portada',
  contacto: 'Contacto y lugar',
  reservas: 'Reservas',
  espera: 'Espera y faltas',
  pagos: 'Pagos',
  mensajes: 'Mensajes',
  cuentas: 'Registro y cuentas',
  videos: 'Videos',
  archivos: 'Archivos',
  avanzado: 'Avanzado',
} as const
export type SettingArea = keyof typeof SETTING_AREAS

/** How a setting is edited. What the schema says by itself (a switch, a whole number, a choice) needs no word of its own. */
export type SettingType =
  | 'boolean'
  | 'integer'
  | 'select'
  | 'text'
  | 'long'
  | 'html'
  | 'code'
  | 'colour'
  | 'image'
  | 'link'
  | 'phone'
  | 'ref'
  | 'matrix'
  | 'object'

interface SettingHelp {
  area: SettingArea
  /** What it is called; es-MX. */
  label: string
  /** What it does, in one or two sentences; es-MX. */
  help: string
  /** Where the schema does not say it: see `typeOf`. */
  type?: SettingType
  /** What a number counts: "horas", "días". */
  unit?: string
  /** What each choice is called. */
  choices?: Readonly<Record<string, string>>
  /** What an id refers to: the path of its list. */
  ref?: string
  /** What can be lost by changing it; es-MX. */
  danger?: string
}

const UNITS = { seconds: 'Segundos', minutes: 'Minutos', hours: 'Horas', days: 'Días' }
const sectionSwitch = (name: string): SettingHelp => ({ area: 'portada', label: `Mostrar ${name}`, help: `Si la portada muestra ${name}.` })
const sectionOrder = (name: string): SettingHelp => ({
  area: 'portada',
  label: `Orden de ${name}`,
  help: `Lugar de ${name} en la portada: los números menores van primero.`,
})
const section = (name: string) => ({
  title: { area: 'portada', label: `Título de ${name}`, help: `Encabezado de ${name} en la portada.` } satisfies SettingHelp,
  link: { area: 'portada', type: 'link', label: `Enlace de ${name}`, help: `Adónde lleva el botón de ${name}.` } satisfies SettingHelp,
  link_text: { area: 'portada', label: `Texto del botón de ${name}`, help: 'Sin texto o sin enlace no hay botón.' } satisfies SettingHelp,
  image: {
    area: 'portada',
    type: 'image',
    label: `Imagen de ${name}`,
    help: `Imagen de ${name} en la portada; sin ella va un dibujo.`,
  } satisfies SettingHelp,
})
const hero = section('la bienvenida')
const about = section('"Nosotros"')
const mission = section('"Misión"')

export const settingHelp = {
  // Brand
  business_name: { area: 'marca', label: 'Nombre del estudio', help: 'Como aparece en el sitio, los correos y los comprobantes.' },
  tagline: { area: 'marca', label: 'Lema', help: 'Frase corta de la portada y de los resultados de los buscadores.' },
  primary: { area: 'marca', type: 'colour', label: 'Color principal', help: 'Botones, enlaces y escenas.' },
  accent: { area: 'marca', type: 'colour', label: 'Color de acento', help: 'Detalles y avisos que deben destacar.' },
  dark: { area: 'marca', type: 'colour', label: 'Color oscuro', help: 'Texto y fondos oscuros.' },
  gray: { area: 'marca', type: 'colour', label: 'Color gris', help: 'Texto secundario.' },
  light: { area: 'marca', type: 'colour', label: 'Color claro', help: 'Fondo de las páginas.' },
  'primary-light': { area: 'marca', type: 'colour', label: 'Principal claro', help: 'Fondos suaves del color principal.' },
  theme_mode: { area: 'marca', label: 'Fondo', help: 'Páginas claras u oscuras.', choices: { dia: 'Día', noche: 'Noche' } },
  theme_shape: {
    ...{ area: 'marca', label: 'Forma', help: 'Esquinas de botones y tarjetas.' },
    choices: { recta: 'Recta', suave: 'Suave', redonda: 'Redonda' },
  },
  theme_voice: {
    ...{ area: 'marca', label: 'Letra', help: 'Ancho de la letra de los títulos.' },
    choices: { ancha: 'Ancha', normal: 'Normal', condensada: 'Condensada' },
  },
  navbar_logo: { area: 'marca', type: 'image', label: 'Logo', help: 'Imagen de la barra; sin ella va el nombre.' },
  favicon: { area: 'marca', type: 'image', label: 'Ícono', help: 'Ícono de la pestaña y de la aplicación instalada.' },
  social_media_image: {
    area: 'marca',
    type: 'image',
    label: 'Imagen al compartir',
    help: 'La que muestran las redes al compartir el sitio.',
  },
  app_css: { area: 'avanzado', type: 'code', label: 'CSS propio', help: 'Se agrega a las páginas, nunca a las que piden una tarjeta.' },
  head: {
    area: 'avanzado',
    type: 'code',
    label: 'Código en <head>',
    help: 'Para medir visitas. Nunca corre en páginas que piden una tarjeta.',
  },
  body: {
    area: 'avanzado',
    type: 'code',
    label: 'Código en <body>',
    help: 'Para medir visitas. Nunca corre en páginas que piden una tarjeta.',
  },
  bg_login: { area: 'marca', type: 'image', label: 'Fondo de Entrar', help: 'Imagen detrás de la pantalla para entrar.' },
  bg_recovery: {
    area: 'marca',
    type: 'image',
    label: 'Fondo de Recuperar',
    help: 'Imagen detrás de la pantalla para recuperar la contraseña.',
  },
  bg_loading: { area: 'marca', type: 'image', label: 'Fondo de espera', help: 'Imagen mientras se abre la cuenta.' },

  // Place and time
  domain: { area: 'contacto', label: 'Dominio', help: 'Dirección del sitio como la conocen tus clientes.' },
  location: { area: 'contacto', label: 'Ubicación', help: 'Ciudad o zona, como se muestra en el sitio.' },
  timezone: {
    ...{ area: 'contacto', label: 'Zona horaria', help: 'Zona IANA de los relojes del estudio; vacía usa la diferencia con UTC.' },
    danger: 'Cambia la hora con la que se leen días, vencimientos y cortes.',
  },
  timezone_offset: {
    area: 'contacto',
    type: 'integer',
    label: 'Diferencia con UTC',
    help: 'Solo cuando no hay zona horaria.',
    unit: 'horas',
  },
  certification_host: {
    area: 'avanzado',
    label: 'Dominio de la certificación',
    help: 'Solo en este dominio se muestra el enlace "Certificación".',
  },
  certification_link: { area: 'avanzado', type: 'link', label: 'Enlace de la certificación', help: 'Adónde lleva "Certificación".' },

  // Files
  S3_ENDPOINT: { area: 'archivos', label: 'Dirección del depósito', help: 'De un servicio compatible con S3; vacía usa AWS.' },
  bucket: { area: 'archivos', label: 'Depósito', help: 'Nombre del bucket donde se guardan los archivos.' },
  region: { area: 'archivos', label: 'Región', help: 'Región del depósito, como us-east-1.' },
  files_location: { area: 'archivos', label: 'Dónde se guardan', help: '`server`: en este servidor; `s3`: en el depósito.' },
  filesBaseSrc: {
    area: 'archivos',
    label: 'Base de las direcciones',
    help: 'Se antepone a la dirección de cada archivo; para una red de distribución.',
  },

  // Contact
  email: { area: 'contacto', label: 'Correo de contacto', help: 'El que ven tus clientes; a él responden los correos.' },
  whatsapp: { area: 'contacto', type: 'phone', label: 'WhatsApp', help: 'Diez dígitos; a este número escriben tus clientes.' },
  whatsapp_widget: { area: 'contacto', label: 'Botón de WhatsApp', help: 'Botón flotante para escribirte desde cualquier página.' },
  facebook: { area: 'contacto', type: 'link', label: 'Facebook', help: 'Dirección de tu página.' },
  instagram: { area: 'contacto', type: 'link', label: 'Instagram', help: 'Dirección de tu perfil.' },
  tiktok: { area: 'contacto', type: 'link', label: 'TikTok', help: 'Dirección de tu perfil.' },

  // Banner and daily pop-up
  banner_enabled: { area: 'portada', label: 'Banda de aviso', help: 'Banda sobre la barra en todo el sitio.' },
  banner_text: { area: 'portada', label: 'Texto de la banda', help: 'Una línea.' },
  banner_link: { area: 'portada', type: 'link', label: 'Enlace de la banda', help: 'Adónde lleva; vacío: no es un enlace.' },
  popup_presencial_enabled: { area: 'portada', label: 'Anuncio al entrar', help: 'Imagen que se muestra una vez al día.' },
  popup_presencial_src: { area: 'portada', type: 'image', label: 'Imagen del anuncio', help: 'Sin imagen no hay anuncio.' },
  popup_presencial_link: { area: 'portada', type: 'link', label: 'Enlace del anuncio', help: 'Adónde lleva al tocarlo.' },

  // Landing
  hero_enabled: sectionSwitch('la bienvenida'),
  about_enabled: sectionSwitch('"Nosotros"'),
  mission_enabled: sectionSwitch('"Misión"'),
  class_types_enabled: sectionSwitch('los tipos de clase'),
  coaches_enabled: sectionSwitch('los coaches'),
  packages_enabled: sectionSwitch('los paquetes'),
  landing_announcements_enabled: sectionSwitch('los avisos'),
  schedule_enabled: sectionSwitch('el horario'),
  hero_order: sectionOrder('la bienvenida'),
  about_order: sectionOrder('"Nosotros"'),
  mission_order: sectionOrder('"Misión"'),
  class_types_order: sectionOrder('los tipos de clase'),
  coaches_order: sectionOrder('los coaches'),
  packages_order: sectionOrder('los paquetes'),
  announcements_order: sectionOrder('los avisos'),
  schedule_order: sectionOrder('el horario'),
  hero_title: hero.title,
  hero_text: { area: 'portada', label: 'Texto de la bienvenida', help: 'Una o dos frases bajo el título.' },
  hero_image: hero.image,
  hero_video: { area: 'portada', type: 'link', label: 'Video de la bienvenida', help: 'Se reproduce sin sonido detrás del título.' },
  hero_link: hero.link,
  hero_link_text: hero.link_text,
  about_title: about.title,
  about_text: { area: 'portada', type: 'html', label: 'Texto de "Nosotros"', help: 'Admite HTML, que se limpia al guardarse.' },
  about_image: about.image,
  about_link: about.link,
  about_link_text: about.link_text,
  mission_title: mission.title,
  mission_text: { area: 'portada', type: 'html', label: 'Texto de "Misión"', help: 'Admite HTML, que se limpia al guardarse.' },
  mission_image: mission.image,
  mission_link: mission.link,
  mission_link_text: mission.link_text,

  // Identity
  firebaseConfig: {
    ...{
      area: 'cuentas',
      type: 'object',
      label: 'Proyecto de Google',
      help: 'Configuración web de tu proyecto de Firebase; null usa las cuentas del propio sistema.',
    },
    danger: 'Con otro proyecto, o ninguno, nadie puede entrar con la cuenta que tenía.',
  },
  google_sign_in: { area: 'cuentas', label: 'Continuar con Google', help: 'Solo con un proyecto de Google que lo permita.' },
  email_enumeration_protection: {
    ...{
      area: 'cuentas',
      label: 'No decir qué correos existen',
      help: 'Al entrar se dice lo mismo con un correo desconocido que con una contraseña equivocada.',
    },
  },
  password_min_length: { area: 'cuentas', label: 'Largo mínimo de la contraseña', help: 'Para contraseñas nuevas.', unit: 'caracteres' },
  password_max_length: {
    area: 'cuentas',
    type: 'integer',
    label: 'Largo máximo de la contraseña',
    help: 'null: sin máximo propio.',
    unit: 'caracteres',
  },
  password_lowercase: { area: 'cuentas', label: 'Pedir minúsculas', help: 'La contraseña lleva al menos una minúscula.' },
  password_uppercase: { area: 'cuentas', label: 'Pedir mayúsculas', help: 'La contraseña lleva al menos una mayúscula.' },
  password_numeric: { area: 'cuentas', label: 'Pedir números', help: 'La contraseña lleva al menos un número.' },
  password_symbol: { area: 'cuentas', label: 'Pedir símbolos', help: 'La contraseña lleva al menos un símbolo.' },
  staff_second_factor_required: {
    ...{
      area: 'cuentas',
      label: 'Verificación en dos pasos del equipo',
      help: 'Quien trabaja en el estudio la activa en /seguridad antes de usar las herramientas del equipo.',
    },
    danger: 'Quien aún no la tiene, tú también, deja de ver las herramientas del equipo hasta que la active.',
  },

  // Sales
  class_packages_name: { area: 'pagos', label: 'Nombre de los paquetes', help: 'Como se llaman en el menú y en su página.' },
  class_packages_path: { area: 'pagos', label: 'Dirección de los paquetes', help: 'Ruta de su página, como /paquetes.' },
  discounts_enabled: { area: 'pagos', label: 'Códigos de descuento', help: 'Si se puede escribir un código al pagar.' },
  cash_checkout_enabled: { area: 'pagos', label: 'Pagar en el estudio', help: 'Aparta el paquete y se paga en recepción.' },
  checkout_disabled: {
    area: 'pagos',
    label: 'Cerrar las compras',
    help: 'Nadie puede comprar en el sitio.',
    danger: 'Nadie puede comprar en el sitio mientras esté activo.',
  },
  paypal_enabled: { area: 'pagos', label: 'PayPal', help: 'Ofrece PayPal al pagar.' },
  paypal_client_id: { area: 'pagos', label: 'Client ID de PayPal', help: 'Identificador público de tu cuenta.' },
  payment_sources_enabled: { area: 'pagos', label: 'Guardar tarjetas', help: 'Si las personas pueden guardar su tarjeta.' },
  payment_sources: { area: 'pagos', label: 'Medios guardados', help: 'Se conserva como venía; hoy no cambia nada.' },
  subscriptions_enabled: { area: 'pagos', label: 'Suscripciones', help: 'Si se venden paquetes que se cobran cada periodo.' },
  stripe_public: { area: 'pagos', label: 'Llave pública de Stripe', help: 'La que empieza con pk_.' },
  stripe_checkout_mode: {
    ...{ area: 'pagos', label: 'Pago con Stripe', help: 'En tu página o en la de Stripe.' },
    choices: { embedded: 'En tu página', session: 'En la página de Stripe' },
  },
  conekta_public: { area: 'pagos', label: 'Llave pública de Conekta', help: 'La que empieza con key_.' },
  oxxo_enabled: { area: 'pagos', label: 'OXXO', help: 'Ofrece pagar en efectivo en OXXO.' },
  spei_enabled: { area: 'pagos', label: 'SPEI', help: 'Ofrece pagar por transferencia SPEI.' },
  checkout_redirect_url: {
    area: 'pagos',
    type: 'link',
    label: 'Página después de pagar',
    help: 'Adónde se va quien acaba de pagar; vacía: la página de gracias.',
  },
  signup_fee: {
    area: 'pagos',
    type: 'ref',
    ref: '/class_packages',
    label: 'Inscripción',
    help: 'Paquete que se debe comprar antes que los demás; null: ninguno.',
  },
  subscription_cancel_reason_required: {
    area: 'pagos',
    label: 'Pedir motivo al cancelar',
    help: 'Si cancelar una suscripción pide un motivo.',
  },
  drop_in_price: {
    area: 'pagos',
    label: 'Precio de una clase suelta',
    help: 'Lo que cuesta en recepción un lugar en una clase, en pesos, cuando ni la clase ni su tipo tienen su propio precio. Vacío: no se venden clases sueltas.',
  },
  pos_discount_max_percent: {
    area: 'pagos',
    label: 'Descuento máximo en recepción',
    help: 'Hasta cuánto puede bajar recepción un precio por su cuenta, siempre con motivo. La propiedad y la gerencia no tienen límite.',
    unit: '%',
  },
  pos_refund_max: {
    area: 'pagos',
    label: 'Devolución máxima en recepción',
    help: 'Hasta cuántos pesos puede devolver recepción por cargo. Con 0.00 solo devuelven la propiedad y la gerencia.',
    unit: 'pesos',
  },
  payment_terminal_fields_required: {
    area: 'pagos',
    label: 'Pedir los datos de la terminal',
    help: 'Si al cobrar con terminal se deben escribir los últimos cuatro dígitos y el número de autorización.',
  },
  cash_session_required: {
    area: 'pagos',
    label: 'Cobrar efectivo solo con la caja abierta',
    help: 'Si cada persona del equipo debe abrir su caja antes de registrar una venta en efectivo.',
  },
  cash_blind_count: {
    area: 'pagos',
    label: 'Corte a ciegas',
    help: 'Recepción cuenta su caja sin ver cuánto debería haber. La propiedad y la gerencia siempre lo ven.',
  },
  cash_difference_max: {
    area: 'pagos',
    label: 'Diferencia que se acepta sin nota',
    help: 'Si lo contado en un corte difiere por más que esto, hay que explicarlo con una nota.',
    unit: 'pesos',
  },
  business_legal_name: { area: 'pagos', label: 'Razón social', help: 'Nombre legal del estudio, como va en sus comprobantes.' },
  business_rfc: { area: 'pagos', label: 'RFC', help: 'RFC del estudio, en mayúsculas, como va en sus comprobantes.' },
  tax_rate: { area: 'pagos', label: 'IVA', help: 'Tasa de IVA de lo que se vende. Cada cargo guarda la de su día.', unit: '%' },
  tax_included: {
    area: 'pagos',
    label: 'Precios con IVA',
    help: 'Si los precios ya incluyen el IVA. Si se apaga, los cargos se guardan sin IVA.',
  },
  cash_hold_hours: {
    area: 'pagos',
    label: 'Apartado en efectivo',
    help: 'Cuánto se guarda lo que se pagará en el estudio.',
    unit: 'horas',
  },
  refund_late_payments: {
    area: 'pagos',
    label: 'Devolver pagos tardíos',
    help: 'Devuelve solo lo que llega cuando ya no hay qué entregar.',
  },
  trial_once_per_customer: {
    area: 'pagos',
    label: 'Una prueba por persona',
    help: 'La segunda suscripción empieza pagada; un paquete de prueba devuelto no se compra otra vez.',
  },
  trial_once_per_card: {
    area: 'pagos',
    label: 'Una prueba por tarjeta',
    help: 'También entre cuentas distintas. Donde el procesador permite reconocer la tarjeta.',
  },
  subscription_grace_days: {
    area: 'pagos',
    label: 'Días de gracia',
    help: 'Cuánto se reintenta una renovación que no se pagó.',
    unit: 'días',
  },
  renewal_notice_days: {
    area: 'pagos',
    label: 'Aviso de renovación',
    help: 'Con cuánta anticipación se avisa el próximo cobro.',
    unit: 'días',
  },

  // Calendar and reservations
  single_class_enabled: { area: 'reservas', label: 'Clases sueltas', help: 'Si las personas ven y reservan clases del calendario.' },
  reservation_timeframe_hours: {
    area: 'reservas',
    label: 'Cierre: horas',
    help: 'Cuántas horas antes de la clase se cierra la reservación.',
    unit: 'horas',
  },
  reservation_timeframe_minutes: { area: 'reservas', label: 'Cierre: minutos', help: 'Se suman a las horas del cierre.', unit: 'minutos' },
  reservation_opens_days: {
    area: 'reservas',
    label: 'Apertura',
    help: 'Cuántos días antes se puede reservar; 0: desde que se publica.',
    unit: 'días',
  },
  allow_cancel_reservations: { area: 'reservas', label: 'Permitir cancelar', help: 'Si las personas cancelan sus reservaciones.' },
  allow_cancel_after_treshold: {
    area: 'reservas',
    label: 'Cancelar tarde',
    help: 'Si se puede cancelar después del límite, perdiendo el crédito.',
  },
  cancel_timeframe_value: {
    area: 'reservas',
    type: 'integer',
    label: 'Límite para cancelar',
    help: 'Hasta cuánto antes se cancela sin perder el crédito; null: hasta que empieza.',
  },
  cancel_timeframe_unit: {
    area: 'reservas',
    label: 'Unidad del límite',
    help: 'En qué se cuenta el límite para cancelar.',
    choices: UNITS,
  },
  max_cancels_per_available_class: {
    area: 'reservas',
    type: 'integer',
    label: 'Cancelaciones por crédito',
    help: 'Cuántas veces se puede cancelar lo que pagó un mismo crédito; null: sin límite.',
    unit: 'cancelaciones',
  },
  allow_class_guests: { area: 'reservas', label: 'Invitados', help: 'Si se puede llevar a una persona invitada.' },
  allow_restricted_class_types: {
    area: 'reservas',
    label: 'Ver clases de otros tipos',
    help: 'Si se muestran clases que los créditos de la persona no cubren por su tipo.',
  },
  allow_restricted_times: {
    area: 'reservas',
    label: 'Ver clases de otros horarios',
    help: 'Si se muestran clases que los créditos de la persona no cubren por su hora.',
  },
  reservation_rating_enabled: { area: 'reservas', label: 'Calificar clases', help: 'Si se califica la clase y al coach al terminar.' },
  qrcode_enabled: { area: 'reservas', label: 'Código de acceso', help: 'Código QR de cada reservación para llegar al estudio.' },
  undo_minutes: {
    area: 'reservas',
    label: 'Tiempo para deshacer',
    help: 'Cuánto después de reservar se deshace sin que cuente como cancelación.',
    unit: 'minutos',
  },
  courtesy_days: { area: 'reservas', label: 'Vigencia de cortesías', help: 'Cuánto vale un crédito que vuelve ya vencido.', unit: 'días' },
  no_show_grace_hours: {
    area: 'espera',
    label: 'Tiempo para pasar lista',
    help: 'Cuánto después de la clase se decide quién faltó.',
    unit: 'horas',
  },

  // Waitlist and penalties
  waitlist_enabled: { area: 'espera', label: 'Lista de espera', help: 'Si las clases llenas aceptan personas en espera.' },
  waitlist_mode: {
    ...{ area: 'espera', label: 'Cómo se reparte un lugar', help: 'A quién se le ofrece un lugar que se libera.' },
    choices: {
      todos: 'Se avisa a todos y gana quien reserve primero',
      oferta: 'Se ofrece al siguiente por un rato',
      auto: 'Se reserva solo al siguiente',
    },
  },
  waitlist_offer_minutes: { area: 'espera', label: 'Tiempo para aceptar', help: 'Cuánto se aparta el lugar ofrecido.', unit: 'minutos' },
  waitlist_tell_all_minutes: {
    area: 'espera',
    label: 'Avisar a todos',
    help: 'Desde cuánto antes del cierre se avisa a toda la lista.',
    unit: 'minutos',
  },
  unlimited_membership_penalties_enabled: {
    area: 'espera',
    label: 'Penalizar faltas',
    help: 'Si faltar varias veces con un ilimitado impide reservar unos días.',
  },
  unlimited_max_no_shows_for_penalty: {
    area: 'espera',
    label: 'Faltas para penalizar',
    help: 'Cuántas faltas seguidas llevan a una penalización.',
    unit: 'faltas',
  },
  unlimited_penalty_days: { area: 'espera', label: 'Días de penalización', help: 'Cuánto dura.', unit: 'días' },

  // Videos
  videos_enabled: { area: 'videos', label: 'Videos en línea', help: 'Si el estudio ofrece videos.' },

  // Messages
  quiet_hours_start: {
    area: 'mensajes',
    label: 'Silencio desde',
    help: 'Hora desde la que no se manda WhatsApp que pueda esperar, 0 a 23.',
    unit: 'hora',
  },
  quiet_hours_end: {
    area: 'mensajes',
    label: 'Silencio hasta',
    help: 'Hora hasta la que no se manda WhatsApp que pueda esperar, 0 a 23.',
    unit: 'hora',
  },
  reminder_hours: { area: 'mensajes', label: 'Recordatorio', help: 'Cuánto antes de la clase se recuerda.', unit: 'horas' },
  credit_notice_days: {
    area: 'mensajes',
    label: 'Aviso de vencimiento',
    help: 'Cuánto antes se avisa de créditos que vencen.',
    unit: 'días',
  },
  message_channels: {
    area: 'mensajes',
    type: 'matrix',
    label: 'Medios por aviso',
    help: 'Por qué medios va cada aviso, donde no va por los de costumbre.',
  },

  // Profile
  signup_form_id: {
    area: 'cuentas',
    type: 'ref',
    ref: '/forms',
    label: 'Formulario de registro',
    help: 'Preguntas al crear la cuenta; null: ninguna.',
  },
  profile_form_id: {
    area: 'cuentas',
    type: 'ref',
    ref: '/forms',
    label: 'Formulario del perfil',
    help: 'Preguntas de "Mi Información"; null: ninguna.',
  },
  profile_required_to_reserve: {
    area: 'cuentas',
    label: 'Perfil completo para reservar',
    help: 'Sin un perfil completo no se puede reservar.',
  },
} satisfies Record<SettingKey, SettingHelp>

interface JsonSchema {
  type?: string
  enum?: string[]
  minimum?: number
  maximum?: number
  maxLength?: number
}

/** The label, help, type and limits of a setting; what its schema says comes from the schema. */
export function infoOf(key: SettingKey): SettingInfo {
  const { area, label, help, type, unit, choices, ref, danger }: SettingHelp = settingHelp[key]
  const schema = z.toJSONSchema(settings[key].schema, { unrepresentable: 'any', io: 'input' }) as JsonSchema
  const derived = schema.enum ? 'select' : schema.type === 'boolean' ? 'boolean' : schema.type === 'integer' ? 'integer' : 'text'
  return {
    ...{ area, label, help, type: type ?? derived },
    options: schema.enum?.map((value) => ({ value, label: choices?.[value] ?? value })) ?? null,
    min: schema.minimum ?? null,
    max: schema.maximum ?? schema.maxLength ?? null,
    ...{ unit: unit ?? null, ref: ref ?? null, danger: danger ?? null },
  }
}

/** Every setting as a table in Markdown: what `PUT /appconfig` accepts, for the OpenAPI document. */
export function settingsTable(): string {
  const rows = (Object.keys(settings) as SettingKey[]).map((key) => {
    const { label, help, type, options, unit } = infoOf(key)
    const kind = options ? options.map(({ value }) => `\`${value}\``).join(', ') : [type, unit && `(${unit})`].filter(Boolean).join(' ')
    return `| \`${key}\` | ${label}. ${help} | ${kind} | \`${JSON.stringify(settings[key].default)}\` |`.replaceAll('<', '&lt;')
  })
  return ['| clave | qué es | tipo | de inicio |', '|---|---|---|---|', ...rows].join('\n')
}
