/** Help of the settings of the brand, the site and its pages (contract/setting-help.ts). */
import type { SettingKey } from '#contract/settings.ts'
import type { SettingHelp } from './entry.ts'

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

export const siteHelp = {
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
    label: 'Forma',
    help: 'Esquinas de botones y tarjetas.',
    choices: { recta: 'Recta', suave: 'Suave', redonda: 'Redonda' },
  },
  theme_voice: {
    label: 'Letra',
    help: 'Ancho de la letra de los títulos.',
    choices: { ancha: 'Ancha', normal: 'Normal', condensada: 'Condensada' },
  },
  theme_fonts: {
    label: 'Tipografía',
    help: 'Las letras de títulos y textos. Solo la primera se hace ancha o condensada.',
    choices: {
      archivo: 'Archivo y Atkinson',
      bricolage: 'Bricolage y Figtree',
      sora: 'Sora y Work Sans',
      space: 'Space Grotesk y Karla',
      outfit: 'Outfit y Rubik',
      jost: 'Jost e Instrument',
      syne: 'Syne y Manrope',
      lora: 'Lora y Figtree',
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
    label: 'Zona horaria',
    help: 'Zona IANA de los relojes del estudio; vacía usa la diferencia con UTC.',
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
    help: 'Se reproduce sin sonido detrás del título. La imagen de la bienvenida se ve mientras carga, y a quien prefiere menos movimiento.',
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
} satisfies Partial<Record<SettingKey, SettingHelp>>
