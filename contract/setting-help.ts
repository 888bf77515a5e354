/**
 * Label, help and editor type of each setting, for the administration and the OpenAPI document. A setting without an entry does not
 * compile. Separate from contract/settings.ts because public pages load that file and need none of these texts.
 */
import * as z from 'zod'
import type { SettingInfo } from './content.ts'
import type { Right } from './rights.ts'
import { PAYMENT_FORMS, REGIME_CODES, REGIMES } from './sat-catalogues.ts'
import { groupOf } from './setting-groups.ts'
import { type SettingKey, settings } from './settings.ts'

/** How a setting is edited. Types that follow from the schema (switch, whole number, choice) are omitted. */
export type SettingType =
  | 'boolean'
  | 'integer'
  | 'number'
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
  /** Label, es-MX. */
  label: string
  /** Effect, in one or two sentences, es-MX. */
  help: string
  /** Type, where the schema does not define it: see `typeOf`. */
  type?: SettingType
  /** Unit of a number: "horas", "días". */
  unit?: string
  /** Label of each choice. */
  choices?: Readonly<Record<string, string>>
  /** For an id: the path of the list that it refers to. */
  ref?: string
  /** What a change can break or lose, es-MX: the change is confirmed by typing the studio's name. */
  danger?: string
  /** Without this value of another setting this one has no effect. */
  depends_on?: { key: SettingKey; equals: string | boolean }
  /** Right that a change needs beside `settings.edit`. */
  right?: Right
}

const UNITS = { seconds: 'Segundos', minutes: 'Minutos', hours: 'Horas', days: 'Días' }
const sectionSwitch = (name: string): SettingHelp => ({ label: `Mostrar ${name}`, help: `Si la portada muestra ${name}.` })
const sectionOrder = (name: string): SettingHelp => ({
  label: `Orden de ${name}`,
  help: `Lugar de ${name} en la portada: los números menores van primero.`,
})
const section = (name: string) => ({
  title: { label: `Título de ${name}`, help: `Encabezado de ${name} en la portada.` } satisfies SettingHelp,
  link: { type: 'link', label: `Enlace de ${name}`, help: `Adónde lleva el botón de ${name}.` } satisfies SettingHelp,
  link_text: { label: `Texto del botón de ${name}`, help: 'Sin texto o sin enlace no hay botón.' } satisfies SettingHelp,
  image: {
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
  business_name: { label: 'Nombre del estudio', help: 'Como aparece en el sitio, los correos y los comprobantes.' },
  tagline: { label: 'Lema', help: 'Frase corta de la portada y de los resultados de los buscadores.' },
  primary: { type: 'colour', label: 'Color principal', help: 'Botones, enlaces y escenas.' },
  accent: { type: 'colour', label: 'Color de acento', help: 'Detalles y avisos que deben destacar.' },
  dark: { type: 'colour', label: 'Color oscuro', help: 'Texto y fondos oscuros.' },
  gray: { type: 'colour', label: 'Color gris', help: 'Texto secundario.' },
  light: { type: 'colour', label: 'Color claro', help: 'Fondo de las páginas.' },
  'primary-light': { type: 'colour', label: 'Principal claro', help: 'Fondos suaves del color principal.' },
  theme_mode: { label: 'Fondo', help: 'Páginas claras u oscuras.', choices: { dia: 'Día', noche: 'Noche' } },
  theme_shape: {
    ...{ label: 'Forma', help: 'Esquinas de botones y tarjetas.' },
    choices: { recta: 'Recta', suave: 'Suave', redonda: 'Redonda' },
  },
  theme_voice: {
    ...{ label: 'Letra', help: 'Ancho de la letra de los títulos.' },
    choices: { ancha: 'Ancha', normal: 'Normal', condensada: 'Condensada' },
  },
  theme_fonts: {
    ...{ label: 'Tipografía', help: 'Las letras de títulos y textos. Solo la primera se hace ancha o condensada.' },
    choices: {
      ...{ archivo: 'Archivo y Atkinson', bricolage: 'Bricolage y Figtree', sora: 'Sora y Work Sans', space: 'Space Grotesk y Karla' },
      ...{ outfit: 'Outfit y Rubik', jost: 'Jost e Instrument', syne: 'Syne y Manrope', lora: 'Lora y Figtree' },
    },
  },
  navbar_logo: { type: 'image', label: 'Logo', help: 'Imagen de la barra; sin ella va el nombre.' },
  favicon: { type: 'image', label: 'Ícono', help: 'Ícono de la pestaña y de la aplicación instalada.' },
  social_media_image: {
    type: 'image',
    label: 'Imagen al compartir',
    help: 'La que muestran las redes al compartir el sitio.',
  },
  app_css: {
    right: 'settings.code',
    type: 'code',
    label: 'CSS propio',
    help: 'Se agrega a las páginas, nunca a las que piden una tarjeta.',
  },
  head: {
    right: 'settings.code',
    type: 'code',
    label: 'Código en <head>',
    help: 'Para medir visitas. Nunca corre en páginas que piden una tarjeta.',
  },
  body: {
    right: 'settings.code',
    type: 'code',
    label: 'Código en <body>',
    help: 'Para medir visitas. Nunca corre en páginas que piden una tarjeta.',
  },
  bg_login: { type: 'image', label: 'Fondo de Entrar', help: 'Imagen detrás de la pantalla para entrar.' },
  bg_recovery: {
    type: 'image',
    label: 'Fondo de Recuperar',
    help: 'Imagen detrás de la pantalla para recuperar la contraseña.',
  },
  bg_loading: { type: 'image', label: 'Fondo de espera', help: 'Imagen mientras se abre la cuenta.' },

  // Place and time
  domain: { label: 'Dominio', help: 'Dirección del sitio como la conocen tus clientes.' },
  languages: {
    label: 'Idiomas del sitio',
    help: 'Con inglés, cada quien puede leer en inglés el sitio y su cuenta, y recibe así los correos de sus reservaciones, sus compras y su cuenta. Lo que escribe el estudio y los WhatsApp se quedan como están.',
    choices: { 'es-MX': 'Español', 'es-MX,en': 'Español e inglés' },
  },
  location: { label: 'Ubicación', help: 'Ciudad o zona, como se muestra en el sitio.' },
  timezone: {
    ...{ label: 'Zona horaria', help: 'Zona IANA de los relojes del estudio; vacía usa la diferencia con UTC.' },
    danger: 'Cambia la hora con la que se leen días, vencimientos y cortes.',
  },
  timezone_offset: {
    depends_on: { key: 'timezone', equals: '' },
    type: 'integer',
    label: 'Diferencia con UTC',
    help: 'Solo cuando no hay zona horaria.',
    unit: 'horas',
  },
  certification_host: {
    label: 'Dominio de la certificación',
    help: 'Solo en este dominio se muestra el enlace "Certificación".',
  },
  certification_link: { type: 'link', label: 'Enlace de la certificación', help: 'Adónde lleva "Certificación".' },

  // Files
  S3_ENDPOINT: {
    depends_on: { key: 'files_location', equals: 's3' },
    label: 'Dirección del depósito',
    help: 'De un servicio compatible con S3; vacía usa AWS.',
  },
  bucket: {
    depends_on: { key: 'files_location', equals: 's3' },
    label: 'Depósito',
    help: 'Nombre del bucket donde se guardan los archivos.',
  },
  region: { depends_on: { key: 'files_location', equals: 's3' }, label: 'Región', help: 'Región del depósito, como us-east-1.' },
  files_location: { label: 'Dónde se guardan', help: '`server`: en este servidor; `s3`: en el depósito.' },
  weekly_export: {
    label: 'Exportar todo cada semana',
    help: 'Los domingos en la madrugada se guarda todo el estudio como archivos, donde se guardan los archivos: en este servidor o en el depósito. Se conservan 35 días, en Exportar.',
  },
  filesBaseSrc: {
    label: 'Base de las direcciones',
    help: 'Se antepone a la dirección de cada archivo; para una red de distribución.',
  },

  // Contact
  email: { label: 'Correo de contacto', help: 'El que ven tus clientes; a él responden los correos.' },
  whatsapp: { type: 'phone', label: 'WhatsApp', help: 'Diez dígitos; a este número escriben tus clientes.' },
  whatsapp_widget: { label: 'Botón de WhatsApp', help: 'Botón flotante para escribirte desde cualquier página.' },
  facebook: { type: 'link', label: 'Facebook', help: 'Dirección de tu página.' },
  instagram: { type: 'link', label: 'Instagram', help: 'Dirección de tu perfil.' },
  tiktok: { type: 'link', label: 'TikTok', help: 'Dirección de tu perfil.' },

  // Banner and daily pop-up
  banner_enabled: { label: 'Banda de aviso', help: 'Banda sobre la barra en todo el sitio.' },
  banner_text: { depends_on: { key: 'banner_enabled', equals: true }, label: 'Texto de la banda', help: 'Una línea.' },
  banner_link: {
    depends_on: { key: 'banner_enabled', equals: true },
    type: 'link',
    label: 'Enlace de la banda',
    help: 'Adónde lleva; vacío: no es un enlace.',
  },
  popup_presencial_enabled: { label: 'Anuncio al entrar', help: 'Imagen que se muestra una vez al día.' },
  popup_presencial_src: {
    depends_on: { key: 'popup_presencial_enabled', equals: true },
    type: 'image',
    label: 'Imagen del anuncio',
    help: 'Sin imagen no hay anuncio.',
  },
  popup_presencial_link: {
    depends_on: { key: 'popup_presencial_enabled', equals: true },
    type: 'link',
    label: 'Enlace del anuncio',
    help: 'Adónde lleva al tocarlo.',
  },

  // Landing
  hero_enabled: sectionSwitch('la bienvenida'),
  about_enabled: sectionSwitch('"Nosotros"'),
  mission_enabled: sectionSwitch('"Misión"'),
  class_types_enabled: sectionSwitch('los tipos de clase'),
  coaches_enabled: sectionSwitch('los coaches'),
  packages_enabled: sectionSwitch('los paquetes'),
  landing_announcements_enabled: sectionSwitch('los avisos'),
  schedule_enabled: sectionSwitch('el horario'),
  location_enabled: sectionSwitch('la ubicación'),
  hero_order: sectionOrder('la bienvenida'),
  about_order: sectionOrder('"Nosotros"'),
  mission_order: sectionOrder('"Misión"'),
  class_types_order: sectionOrder('los tipos de clase'),
  coaches_order: sectionOrder('los coaches'),
  packages_order: sectionOrder('los paquetes'),
  announcements_order: sectionOrder('los avisos'),
  schedule_order: sectionOrder('el horario'),
  location_order: sectionOrder('la ubicación'),
  hero_title: hero.title,
  hero_text: {
    depends_on: { key: 'hero_enabled', equals: true },
    label: 'Texto de la bienvenida',
    help: 'Una o dos frases bajo el título.',
  },
  hero_image: hero.image,
  hero_video: {
    depends_on: { key: 'hero_enabled', equals: true },
    type: 'link',
    label: 'Video de la bienvenida',
    help: 'Se reproduce sin sonido detrás del título.',
  },
  hero_link: hero.link,
  hero_link_text: hero.link_text,
  rating_public: {
    label: 'Mostrar la calificación',
    help: 'Si la portada y las páginas de coaches muestran el promedio de quienes tomaron clase en el último año. Solo con 20 calificaciones o más.',
  },
  opened_year: { label: 'Año en que abriste', help: 'En la portada: "Desde 2017". Vacío: no se muestra.' },
  reviews_link: { type: 'link', label: 'Enlace de reseñas', help: 'Adónde lleva "Lee las reseñas", por ejemplo tu perfil de Google.' },
  about_title: about.title,
  about_text: {
    depends_on: { key: 'about_enabled', equals: true },
    type: 'html',
    label: 'Texto de "Nosotros"',
    help: 'Admite HTML, que se limpia al guardarse.',
  },
  about_image: about.image,
  about_link: about.link,
  about_link_text: about.link_text,
  mission_title: mission.title,
  mission_text: {
    depends_on: { key: 'mission_enabled', equals: true },
    type: 'html',
    label: 'Texto de "Misión"',
    help: 'Admite HTML, que se limpia al guardarse.',
  },
  mission_image: mission.image,
  mission_link: mission.link,
  mission_link_text: mission.link_text,

  // Identity
  firebaseConfig: {
    right: 'settings.code',
    ...{
      type: 'object',
      label: 'Proyecto de Google',
      help: 'Configuración web de tu proyecto de Firebase; vacía: las cuentas del propio sistema.',
    },
    danger: 'Con otro proyecto, o ninguno, nadie puede entrar con la cuenta que tenía.',
  },
  google_sign_in: { label: 'Continuar con Google', help: 'Solo con un proyecto de Google que lo permita.' },
  email_enumeration_protection: {
    ...{
      label: 'No decir qué correos existen',
      help: 'Al entrar se dice lo mismo con un correo desconocido que con una contraseña equivocada.',
    },
  },
  password_min_length: {
    danger: 'Quien cambie su contraseña tendrá que cumplirlo; las que ya existen siguen sirviendo.',
    label: 'Largo mínimo de la contraseña',
    help: 'Para contraseñas nuevas.',
    unit: 'caracteres',
  },
  password_max_length: {
    danger: 'Con un máximo menor, una contraseña larga ya no se puede elegir.',
    type: 'integer',
    label: 'Largo máximo de la contraseña',
    help: 'Vacío: sin máximo propio.',
    unit: 'caracteres',
  },
  password_lowercase: { label: 'Pedir minúsculas', help: 'La contraseña lleva al menos una minúscula.' },
  password_uppercase: { label: 'Pedir mayúsculas', help: 'La contraseña lleva al menos una mayúscula.' },
  password_numeric: { label: 'Pedir números', help: 'La contraseña lleva al menos un número.' },
  password_symbol: { label: 'Pedir símbolos', help: 'La contraseña lleva al menos un símbolo.' },
  staff_second_factor_required: {
    ...{
      label: 'Verificación en dos pasos del equipo',
      help: 'Quien trabaja en el estudio la activa en /seguridad antes de usar las herramientas del equipo.',
    },
    danger: 'Quien aún no la tiene, tú también, deja de ver las herramientas del equipo hasta que la active.',
  },
  staff_session_hours: {
    label: 'Horas de sesión del equipo',
    help: 'Tantas horas después de entrar, quien trabaja en el estudio vuelve a escribir su contraseña; también en un dispositivo compartido. A tus clientes no les cambia nada.',
    unit: 'horas',
  },

  // Sales
  class_packages_name: { label: 'Nombre de los paquetes', help: 'Como se llaman en el menú y en su página.' },
  class_packages_path: { label: 'Dirección de los paquetes', help: 'Ruta de su página, como /paquetes.' },
  discounts_enabled: { label: 'Códigos de descuento', help: 'Si se puede escribir un código al pagar.' },
  cash_checkout_enabled: { label: 'Pagar en el estudio', help: 'Aparta el paquete y se paga en recepción.' },
  checkout_disabled: {
    label: 'Cerrar las compras',
    help: 'Nadie puede comprar en el sitio.',
    danger: 'Nadie puede comprar en el sitio mientras esté activo.',
  },
  paypal_enabled: { label: 'PayPal', help: 'Ofrece PayPal al pagar.' },
  paypal_client_id: {
    depends_on: { key: 'paypal_enabled', equals: true },
    label: 'Client ID de PayPal',
    help: 'Identificador público de tu cuenta.',
  },
  payment_sources_enabled: { label: 'Guardar tarjetas', help: 'Si las personas pueden guardar su tarjeta.' },
  payment_sources: { label: 'Medios guardados', help: 'Se conserva como venía; hoy no cambia nada.' },
  subscriptions_enabled: { label: 'Suscripciones', help: 'Si se venden paquetes que se cobran cada periodo.' },
  stripe_public: { label: 'Llave pública de Stripe', help: 'La que empieza con pk_.' },
  stripe_checkout_mode: {
    ...{ label: 'Pago con Stripe', help: 'En tu página o en la de Stripe.' },
    choices: { embedded: 'En tu página', session: 'En la página de Stripe' },
  },
  express_checkout_enabled: {
    ...{
      label: 'Apple Pay, Google Pay y Link',
      help: 'Un botón en el checkout, donde el navegador lo tenga. Cobra Stripe; registra antes tu dominio en su panel.',
    },
  },
  conekta_public: { label: 'Llave pública de Conekta', help: 'La que empieza con key_.' },
  oxxo_enabled: { label: 'OXXO', help: 'Ofrece pagar en efectivo en OXXO.' },
  spei_enabled: { label: 'SPEI', help: 'Ofrece pagar por transferencia SPEI.' },
  gift_cards_on_site: { label: 'Tarjetas de regalo en el sitio', help: 'Se compran en línea y el código llega por correo.' },
  gift_card_amounts: {
    depends_on: { key: 'gift_cards_on_site', equals: true },
    label: 'Cantidades de las tarjetas de regalo',
    help: 'En pesos, separadas por comas, como 500, 1000.',
  },
  checkout_redirect_url: {
    type: 'link',
    label: 'Página después de pagar',
    help: 'Adónde se va quien acaba de pagar; vacía: la página de gracias.',
  },
  signup_fee: {
    type: 'ref',
    ref: '/class_packages',
    label: 'Inscripción',
    help: 'Paquete que se debe comprar antes que los demás.',
  },
  subscription_cancel_reason_required: {
    depends_on: { key: 'subscriptions_enabled', equals: true },
    label: 'Pedir motivo al cancelar',
    help: 'Si cancelar una suscripción pide un motivo.',
  },
  drop_in_price: {
    label: 'Precio de una clase suelta',
    help: 'Lo que cuesta en recepción un lugar en una clase, en pesos, cuando ni la clase ni su tipo tienen su propio precio. Vacío: no se venden clases sueltas.',
  },
  pos_discount_max_percent: {
    label: 'Descuento máximo en recepción',
    help: 'Hasta cuánto puede bajar recepción un precio por su cuenta, siempre con motivo. La propiedad y la gerencia no tienen límite.',
    unit: '%',
  },
  pos_refund_max: {
    label: 'Devolución máxima en recepción',
    help: 'Hasta cuántos pesos puede devolver recepción por cargo. Con 0.00 solo devuelven la propiedad y la gerencia.',
    unit: 'pesos',
  },
  payment_terminal_fields_required: {
    label: 'Pedir los datos de la terminal',
    help: 'Si al cobrar con terminal se deben escribir los últimos cuatro dígitos y el número de autorización.',
  },
  cash_session_required: {
    label: 'Cobrar efectivo solo con la caja abierta',
    help: 'Si cada persona del equipo debe abrir su caja antes de registrar una venta en efectivo.',
  },
  schedule_drafts: {
    label: 'Reunir los cambios del horario antes de publicarlos',
    help: 'Los cambios del horario quedan sin publicar hasta que quien los hizo los publica juntos. Apagado: cada cambio se publica al guardarlo.',
  },
  schedule_weeks_ahead: {
    label: 'Semanas que se programan por adelantado',
    help: 'Cuántas semanas adelante tiene clases una serie sin fecha de fin.',
    unit: 'semanas',
  },
  coach_travel_minutes: {
    label: 'Traslado de coaches entre estudios',
    help: 'Cuánto tiempo necesita una persona entre dos clases en estudios distintos. Con menos, el horario lo señala como conflicto.',
    unit: 'minutos',
  },
  payroll_period: {
    ...{ label: 'Cada cuánto se paga a los coaches', help: 'Los días que reúne la nómina. Lo que ya se aprobó no cambia.' },
    choices: { quincena: 'Quincena: del 1 al 15 y del 16 al último', mes: 'Mes' },
  },
  low_attendance_percent: {
    label: 'Poca gente en una clase',
    help: 'Con menos de este porcentaje de lugares tomados, una clase de hoy se señala en Hoy desde seis horas antes. Con 0 no se señala.',
    unit: '%',
  },
  substitution_approval: {
    label: 'Aprobar las suplencias',
    help: 'Quien acepta dar la clase de otra persona espera a que la propiedad o la gerencia lo apruebe. Apagado: la da quien acepta primero.',
  },
  cash_blind_count: {
    depends_on: { key: 'cash_session_required', equals: true },
    label: 'Corte a ciegas',
    help: 'Recepción cuenta su caja sin ver cuánto debería haber. La propiedad y la gerencia siempre lo ven.',
  },
  cash_difference_max: {
    label: 'Diferencia que se acepta sin nota',
    help: 'Si lo contado en un corte difiere por más que esto, hay que explicarlo con una nota.',
    unit: 'pesos',
  },
  business_legal_name: { label: 'Razón social', help: 'Nombre legal del estudio, como va en sus comprobantes.' },
  business_rfc: { label: 'RFC', help: 'RFC del estudio, en mayúsculas, como va en sus comprobantes.' },
  business_postal_code: {
    label: 'Código postal fiscal',
    help: 'El del domicilio fiscal del estudio: es el lugar de expedición de sus facturas.',
  },
  business_regime: {
    ...{ label: 'Régimen fiscal', help: 'Régimen con el que factura el estudio.' },
    choices: { ...Object.fromEntries(REGIME_CODES.map((code) => [code, `${code} · ${REGIMES[code].label}`])), '': 'Sin elegir' },
  },
  invoice_series: { label: 'Serie de facturas', help: 'Letras que llevan los folios de las facturas.' },
  self_invoice: {
    label: 'Facturación en línea',
    help: 'Cada cliente factura sus cargos en Mis Cargos hasta que termina el mes en que pagó. El equipo puede después.',
  },
  global_invoice: {
    label: 'Factura global',
    help: 'Cada cuánto se factura al público en general lo que nadie pidió: un documento por forma de pago, veinte horas después de que termina el periodo.',
    choices: { off: 'No se emite', day: 'Cada día', month: 'Cada mes' },
  },
  self_invoice_until: {
    label: 'Hasta cuándo factura el cliente',
    help: 'Con “hasta que termina el año” también factura lo que ya está en la factura global: se le resta con una nota de crédito.',
    choices: { month: 'Hasta que termina el mes', year: 'Hasta que termina el año' },
  },
  global_leave: {
    label: 'Cuando se factura lo que ya está en la global',
    help: 'La otra queda relacionada con la cancelada. Si la global ya tiene notas de crédito o pasó el plazo del SAT para cancelarla, la venta sale con nota de crédito.',
    choices: { credit: 'Sale con una nota de crédito', replace: 'Se cancela la global y se expide otra' },
  },
  invoice_form_card: {
    label: 'Tarjeta sin tipo conocido',
    help: 'Forma de pago en la factura cuando no se sabe si la tarjeta es de crédito o de débito.',
    choices: { '04': '04 · Tarjeta de crédito', '28': '28 · Tarjeta de débito' },
  },
  invoice_form_oxxo: {
    label: 'OXXO',
    help: 'Forma de pago en la factura de lo que se paga en OXXO o en otra tienda. Pregunta a tu contador.',
    choices: { '01': '01 · Efectivo', '31': '31 · Intermediario pagos' },
  },
  invoice_form_wallet: {
    label: 'PayPal y saldos',
    help: 'Forma de pago en la factura de lo que se paga con PayPal o con el saldo de una cuenta.',
    choices: { '31': '31 · Intermediario pagos', '06': '06 · Dinero electrónico', '03': '03 · Transferencia electrónica de fondos' },
  },
  invoice_form_other: {
    label: 'Otras formas de pago del estudio',
    help: 'Forma de pago en la factura de las que no son efectivo, terminal ni transferencia.',
    choices: Object.fromEntries(
      (['01', '02', '03', '04', '06', '08', '28', '31'] as const).map((code) => [code, `${code} · ${PAYMENT_FORMS[code]}`]),
    ),
  },
  tax_rate: { label: 'IVA', help: 'Tasa de IVA de lo que se vende. Cada cargo guarda la de su día.', unit: '%' },
  tax_included: {
    label: 'Precios con IVA',
    help: 'Si los precios ya incluyen el IVA. Si se apaga, los cargos se guardan sin IVA.',
  },
  cash_hold_hours: {
    depends_on: { key: 'cash_checkout_enabled', equals: true },
    label: 'Apartado en efectivo',
    help: 'Cuánto se guarda lo que se pagará en el estudio.',
    unit: 'horas',
  },
  payment_link_hours: {
    label: 'Enlaces de pago',
    help: 'Cuánto tiempo se puede pagar un enlace que envió recepción. Mientras tanto, lo que se vende queda apartado.',
    unit: 'horas',
  },
  refund_late_payments: {
    label: 'Devolver pagos tardíos',
    help: 'Devuelve solo lo que llega cuando ya no hay qué entregar.',
  },
  trial_once_per_customer: {
    label: 'Una prueba por persona',
    help: 'La segunda suscripción empieza pagada; un paquete de prueba devuelto no se compra otra vez.',
  },
  trial_once_per_card: {
    label: 'Una prueba por tarjeta',
    help: 'También entre cuentas distintas. Donde el procesador permite reconocer la tarjeta.',
  },
  subscription_grace_days: {
    depends_on: { key: 'subscriptions_enabled', equals: true },
    label: 'Días de gracia',
    help: 'Cuánto se reintenta una renovación que no se pagó.',
    unit: 'días',
  },
  renewal_notice_days: {
    depends_on: { key: 'subscriptions_enabled', equals: true },
    label: 'Aviso de renovación',
    help: 'Con cuánta anticipación se avisa el próximo cobro.',
    unit: 'días',
  },

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
    ...{ label: 'Cómo se reparte un lugar', help: 'A quién se le ofrece un lugar que se libera.' },
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

  // Messages
  messages_per_person_week: {
    label: 'Promociones por semana',
    help: 'Cuántos mensajes a muchos recibe una persona en siete días, a lo más. Los de su clase no cuentan.',
    unit: 'mensajes',
  },
  weekly_email: {
    label: 'Tu semana por correo',
    help: 'Cada lunes desde las 7 de la mañana, la propiedad recibe lo que pasó la semana anterior y hasta tres cosas por hacer.',
  },
  quiet_hours_start: {
    label: 'Silencio desde',
    help: 'Hora desde la que no se manda WhatsApp que pueda esperar, 0 a 23.',
    unit: 'hora',
  },
  quiet_hours_end: {
    label: 'Silencio hasta',
    help: 'Hora hasta la que no se manda WhatsApp que pueda esperar, 0 a 23.',
    unit: 'hora',
  },
  reminder_hours: { label: 'Recordatorio', help: 'Cuánto antes de la clase se recuerda.', unit: 'horas' },
  credit_notice_days: {
    label: 'Aviso de vencimiento',
    help: 'Cuánto antes se avisa de créditos que vencen.',
    unit: 'días',
  },
  message_channels: {
    type: 'matrix',
    label: 'Medios por aviso',
    help: 'Por qué medios va cada aviso, donde no va por los de costumbre.',
  },

  // Profile
  signup_form_id: {
    type: 'ref',
    ref: '/forms',
    label: 'Formulario de registro',
    help: 'Preguntas al crear la cuenta.',
  },
  profile_form_id: {
    type: 'ref',
    ref: '/forms',
    label: 'Formulario del perfil',
    help: 'Preguntas de "Mi Información".',
  },
  profile_required_to_reserve: {
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
  anyOf?: JsonSchema[]
}

/** The schema of the value itself, and whether it may be null instead. */
function schemaOf(key: SettingKey): { schema: JsonSchema; nullable: boolean } {
  const whole = z.toJSONSchema(settings[key].schema, { unrepresentable: 'any', io: 'input' }) as JsonSchema
  const parts = whole.anyOf ?? [whole]
  return { schema: parts.find(({ type }) => type !== 'null') ?? whole, nullable: parts.some(({ type }) => type === 'null') }
}

const DERIVED: Readonly<Record<string, SettingType>> = { boolean: 'boolean', integer: 'integer', number: 'number' }

function describe(key: SettingKey): SettingInfo {
  const { label, help, type, unit, choices, ref, danger, depends_on, right }: SettingHelp = settingHelp[key]
  const { area, title, shown_on } = groupOf(key)
  const { schema, nullable } = schemaOf(key)
  return {
    ...{ area, group: title, label, help, type: type ?? (schema.enum ? 'select' : (DERIVED[schema.type ?? ''] ?? 'text')) },
    options: schema.enum?.map((value) => ({ value, label: choices?.[value] ?? value })) ?? null,
    min: schema.minimum ?? null,
    max: schema.maximum ?? schema.maxLength ?? null,
    ...{ nullable, unit: unit ?? null, ref: ref ?? null, shown_on: [...shown_on], depends_on: depends_on ?? null },
    ...{ danger: danger ?? null, right: right ?? null },
  }
}

const described = new Map<SettingKey, SettingInfo>()

/** Area, group, label, help, type and limits of a setting; what the schema defines is taken from it. */
export function infoOf(key: SettingKey): SettingInfo {
  const known = described.get(key)
  if (known) return known
  const info = describe(key)
  described.set(key, info)
  return info
}

/** The settings whose change needs a right of its own beside `settings.edit`. */
export const rightsOfSettings: readonly { key: SettingKey; right: Right }[] = (Object.keys(settingHelp) as SettingKey[]).flatMap((key) => {
  const { right }: SettingHelp = settingHelp[key]
  return right ? [{ key, right }] : []
})

/** All settings as a Markdown table: what `PUT /appconfig` accepts, for the OpenAPI document. */
export function settingsTable(): string {
  const rows = (Object.keys(settings) as SettingKey[]).map((key) => {
    const { label, help, type, options, unit } = infoOf(key)
    const kind = options ? options.map(({ value }) => `\`${value}\``).join(', ') : [type, unit && `(${unit})`].filter(Boolean).join(' ')
    return `| \`${key}\` | ${label}. ${help} | ${kind} | \`${JSON.stringify(settings[key].default)}\` |`.replaceAll('<', '&lt;')
  })
  return ['| clave | qué es | tipo | de inicio |', '|---|---|---|---|', ...rows].join('\n')
}
