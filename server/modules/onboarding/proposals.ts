/** What a studio of each kind usually has: the class types, packages with prices and texts that the first steps propose. Pure. */
import type { Giro, OnboardingProposal } from '#contract/onboarding.ts'
import { foldText } from '#contract/text.ts'
import { escapeHtml } from '#server/platform/escape.ts'

type ProposedType = OnboardingProposal['class_types'][number]

const type = (name: string, description: string, intensity: number, duration_minutes: number, is_usual = true): ProposedType => ({
  name,
  description,
  icon: null,
  intensity,
  duration_minutes,
  is_usual,
})

interface GiroProposal {
  /** The beginning of the landing page. */
  hero_title: string
  /** What is taught, as a sentence has it: "Clases de ciclo en Puebla". */
  taught: string
  about_text: string
  class_types: readonly ProposedType[]
  /** In pesos: a first class, a single one, ten, a month without limit. Usual prices of Mexican studios in 2026, to be corrected. */
  prices: readonly [number, number, number, number]
}

const GIRO_PROPOSALS: Readonly<Record<Giro, GiroProposal>> = {
  ciclo: {
    hero_title: 'Súbete y pedalea',
    taught: 'ciclo',
    about_text:
      'Luces bajas, música alta y una hora para ti. Cada coach arma su clase canción por canción, y la bici se ajusta a tu nivel.',
    class_types: [
      type('Ciclo 45', 'Cuarenta y cinco minutos de ritmo, subidas y sprints.', 4, 45),
      type('Ciclo 60', 'Una hora completa, con brazos y estiramiento al final.', 4, 60),
      type('Ciclo para empezar', 'Aprende a ajustar la bici y a llevar el ritmo.', 2, 45),
      type('Ciclo y fuerza', 'Media clase en la bici, media con pesas.', 5, 60, false),
    ],
    prices: [120, 230, 1_900, 2_400],
  },
  pilates: {
    hero_title: 'Muévete con atención',
    taught: 'pilates',
    about_text: 'Grupos pequeños y atención a cada detalle: fuerza desde el centro, postura y respiración, con alguien que te corrige.',
    class_types: [
      type('Reformer', 'Fuerza y control en la cama de pilates.', 3, 50),
      type('Reformer para empezar', 'Conoce la cama y los movimientos básicos.', 2, 50),
      type('Mat', 'Pilates en tapete, con tu propio peso.', 3, 50),
      type('Reformer intenso', 'Menos pausas y más resorte.', 5, 50, false),
    ],
    prices: [180, 320, 2_700, 3_200],
  },
  barre: {
    hero_title: 'Fuerza con línea',
    taught: 'barre',
    about_text: 'Movimientos pequeños que se sienten enormes. Barre mezcla ballet, pilates y fuerza, y no hace falta haber bailado nunca.',
    class_types: [
      type('Barre', 'La clase de siempre: piernas, brazos y centro.', 3, 55),
      type('Barre para empezar', 'Las posiciones y los nombres, sin prisa.', 2, 55),
      type('Barre cardio', 'Más rápido y con más sudor.', 4, 45),
      type('Estiramiento', 'Soltar y alargar al terminar la semana.', 1, 45, false),
    ],
    prices: [150, 270, 2_200, 2_700],
  },
  yoga: {
    hero_title: 'Respira y empieza',
    taught: 'yoga',
    about_text:
      'Un lugar tranquilo para practicar a tu paso. Hay clases suaves y clases fuertes, y en todas te decimos cómo adaptar cada postura.',
    class_types: [
      type('Vinyasa', 'Movimiento que sigue a la respiración.', 3, 60),
      type('Hatha', 'Posturas con tiempo para sentirlas.', 2, 60),
      type('Yin', 'Posturas largas para soltar el día.', 1, 60),
      type('Power', 'Una práctica fuerte, para sudar.', 4, 60, false),
    ],
    prices: [100, 200, 1_600, 1_800],
  },
  box: {
    hero_title: 'Ponte los guantes',
    taught: 'box',
    about_text: 'Costal, técnica y acondicionamiento. Nadie te va a pegar: vienes a aprender, a soltar la semana y a salir más fuerte.',
    class_types: [
      type('Box', 'Técnica y costal por rounds.', 4, 50),
      type('Box para empezar', 'Guardia, pasos y los primeros golpes.', 3, 50),
      type('Box y fuerza', 'Costal, pesas y abdomen.', 5, 50),
      type('Manoplas', 'En parejas y con coach.', 4, 50, false),
    ],
    prices: [120, 220, 1_800, 2_200],
  },
  funcional: {
    hero_title: 'Entrena para tu vida',
    taught: 'entrenamiento funcional',
    about_text: 'Fuerza, resistencia y movilidad en grupos pequeños. Cada ejercicio tiene una versión para ti, empieces o lleves años.',
    class_types: [
      type('Funcional', 'Circuito de cuerpo completo.', 4, 50),
      type('Fuerza', 'Pesas y técnica, con cargas a tu medida.', 4, 60),
      type('HIIT', 'Intervalos cortos y muy intensos.', 5, 45),
      type('Movilidad', 'Articulaciones sanas y menos dolor.', 1, 45, false),
    ],
    prices: [100, 190, 1_500, 1_700],
  },
  danza: {
    hero_title: 'Baila como te nace',
    taught: 'danza',
    about_text: 'Clases para todos los niveles, con maestros que explican paso por paso. Ven por la música y quédate por cómo te sientes.',
    class_types: [
      type('Jazz', 'Técnica, saltos y coreografía.', 3, 60),
      type('Ritmos latinos', 'Salsa, bachata y cumbia, sin pareja.', 3, 60),
      type('Ballet para adultos', 'Barra y centro, desde cero.', 2, 75),
      type('Contemporáneo', 'Piso, peso y movimiento libre.', 3, 75, false),
    ],
    prices: [100, 180, 1_400, 1_600],
  },
  otro: {
    hero_title: 'Tu clase empieza aquí',
    taught: 'clases en grupo',
    about_text: 'Grupos pequeños, buen ambiente y alguien que conoce tu nombre. Elige tu hora, aparta tu lugar y ven como eres.',
    class_types: [
      type('Clase general', 'Para todos los niveles.', 3, 60),
      type('Principiantes', 'Para la primera vez.', 1, 60),
      type('Intermedio', 'Para quien ya lleva un tiempo.', 4, 60, false),
    ],
    prices: [100, 200, 1_600, 1_900],
  },
}

/** Cities outside of the zone of the center, by zone. */
const ZONES: Readonly<Record<string, readonly string[]>> = {
  'America/Tijuana': ['tijuana', 'mexicali', 'ensenada', 'tecate', 'rosarito', 'san quintin', 'san felipe'],
  'America/Hermosillo': ['hermosillo', 'obregon', 'nogales', 'guaymas', 'san luis rio colorado', 'navojoa', 'puerto penasco', 'san carlos'],
  'America/Mazatlan': [
    'mazatlan',
    'culiacan',
    'los mochis',
    'guasave',
    'la paz',
    'los cabos',
    'cabo san lucas',
    'san jose del cabo',
    'loreto',
    'tepic',
    'todos santos',
  ],
  'America/Cancun': ['cancun', 'playa del carmen', 'tulum', 'chetumal', 'cozumel', 'puerto morelos', 'isla mujeres', 'bacalar'],
  'America/Ciudad_Juarez': ['juarez'],
  'America/Ojinaga': ['ojinaga'],
  'America/Matamoros': ['matamoros', 'reynosa', 'nuevo laredo', 'piedras negras', 'ciudad acuna', 'rio bravo'],
}

/** The zone of a Mexican city; that of the center for an unknown name. */
export function zoneOfCity(city: string): string {
  const folded = foldText(city)
  const found = Object.entries(ZONES).find(([, names]) => names.some((name) => new RegExp(`\\b${name}\\b`).test(folded)))
  // Benito Juárez and others share a name with Ciudad Juárez.
  if (found?.[0] === 'America/Ciudad_Juarez' && !/^(ciudad |cd\.? )?juarez\b/.test(folded)) return 'America/Mexico_City'
  return found?.[0] ?? 'America/Mexico_City'
}

const pesos = (amount: number): string => `${amount}.00`

interface StudioData {
  giro: Giro
  city: string
  business_name: string
  /** The person responsible for personal data. */
  legal_name: string
  address: string
  email: string
  /** Hours until which a reservation is cancelled without loss. */
  cancel_hours: number
}

/** The proposal for a studio. */
export function makeProposal(data: StudioData): OnboardingProposal {
  const { giro, city, business_name } = data
  const { hero_title, taught, about_text, class_types, prices } = GIRO_PROPOSALS[giro]
  const [first, single, ten, unlimited] = prices
  const where = city ? ` en ${city}` : ''
  const common = { is_trial: false, is_featured: false, limit_per_customer: null }
  const begin = taught.startsWith('clases') ? 'Clases en grupo' : `Clases de ${taught}`
  return {
    settings: [
      { key: 'timezone', value: zoneOfCity(city) },
      { key: 'tagline', value: `${begin}${where}.` },
      { key: 'hero_title', value: hero_title },
      { key: 'hero_text', value: 'Elige tu hora, aparta tu lugar y ven.' },
      { key: 'hero_link', value: '/calendario' },
      { key: 'hero_link_text', value: 'Ver horarios' },
      { key: 'about_title', value: `Así es ${business_name}` },
      { key: 'about_text', value: about_text },
    ],
    class_types: class_types.map((classType) => ({ ...classType })),
    class_packages: [
      {
        title: 'Primera clase',
        short_description: 'Para conocernos. Una por persona.',
        price: pesos(first),
        class_amount: 1,
        expiration_days: 15,
        is_trial: true,
        is_featured: false,
        limit_per_customer: 1,
      },
      {
        title: 'Clase suelta',
        short_description: 'Para venir cuando se pueda.',
        price: pesos(single),
        class_amount: 1,
        expiration_days: 30,
        ...common,
      },
      {
        title: 'Paquete 10',
        short_description: 'Diez clases para usar en dos meses.',
        price: pesos(ten),
        class_amount: 10,
        expiration_days: 60,
        ...common,
        is_featured: true,
      },
      {
        title: 'Ilimitado mensual',
        short_description: 'Todas las clases que quieras durante un mes.',
        price: pesos(unlimited),
        class_amount: -1,
        expiration_days: 30,
        ...common,
      },
    ],
    pages: legalPages(data),
  }
}

/** Privacy notice, terms and rules with the studio's data. Templates: the screen says that a lawyer must read them. */
function legalPages({ business_name, legal_name, address, city, email, cancel_hours }: StudioData): OnboardingProposal['pages'] {
  const name = escapeHtml(business_name)
  const responsible = escapeHtml(legal_name)
  const home = [address, city && !foldText(address).includes(foldText(city)) ? city : ''].filter(Boolean).join(', ')
  const addressClause = home ? `, con domicilio en ${escapeHtml(home.replace(/\s*\n\s*/g, ', '))}, México,` : ''
  const contact = email
    ? `escribe a <a href="mailto:${escapeHtml(email)}">${escapeHtml(email)}</a>`
    : 'escríbenos por nuestros medios de contacto o dilo en recepción'
  const cancelling =
    cancel_hours > 0
      ? `Puedes cancelar sin perder tu crédito hasta ${cancel_hours} ${cancel_hours === 1 ? 'hora' : 'horas'} antes del inicio. Después, el crédito se usa.`
      : 'El crédito de una clase reservada no se devuelve.'
  return [
    {
      slug: 'aviso-de-privacidad',
      title: 'Aviso de privacidad',
      required_signup: true,
      content: `<p>${responsible}${addressClause} es responsable del tratamiento de los datos personales que das a ${name}.</p>
<h2>Qué datos pedimos</h2>
<p>Tu nombre, correo y teléfono; lo que compras, reservas y tomas con nosotros; y, solo si tú lo cuentas, lesiones o condiciones de salud que debamos cuidar. Estos últimos son datos sensibles y solo los ven las personas que te dan clase.</p>
<h2>Para qué los usamos</h2>
<ul><li>Para apartar tu lugar y avisarte de cambios en tus clases.</li><li>Para cobrar tus compras y darte tu comprobante.</li><li>Para cuidarte durante la clase.</li></ul>
<p>Si lo aceptas, también para contarte de novedades y promociones. Puedes dejar de recibirlas cuando quieras, sin que afecte tus clases.</p>
<h2>Con quién los compartimos</h2>
<p>Con los servicios que procesan tus pagos y envían nuestros mensajes, y con las autoridades cuando la ley lo pide. No vendemos tus datos ni guardamos números de tarjeta.</p>
<h2>Tus derechos</h2>
<p>Para conocer tus datos, corregirlos, borrarlos u oponerte a su uso, o para retirar tu consentimiento, ${contact}. Respondemos en veinte días hábiles.</p>
<h2>Cambios</h2>
<p>Si este aviso cambia, lo publicamos aquí y te pedimos leerlo de nuevo.</p>`,
    },
    {
      slug: 'terminos-y-condiciones',
      title: 'Términos y condiciones',
      required_signup: true,
      content: `<p>Al comprar o reservar con ${name} aceptas estas condiciones. Responde por ellas ${responsible}.</p>
<h2>Paquetes y precios</h2>
<p>Los precios están en pesos mexicanos e incluyen impuestos. Cada paquete dice cuántas clases tiene y en cuánto tiempo vence. Los créditos son personales y no se cambian por dinero.</p>
<h2>Reservaciones</h2>
<p>Las clases se reservan con crédito vigente. ${cancelling}</p>
<h2>Cambios del estudio</h2>
<p>Si cancelamos una clase te devolvemos el crédito. Si cambia la hora, el lugar o quien la da, te avisamos.</p>
<h2>Suscripciones</h2>
<p>Se cobran en cada periodo hasta que las cancelas. Puedes cancelarlas en tu cuenta en cualquier momento y conservas lo que ya pagaste.</p>
<h2>Aclaraciones</h2>
<p>Para cualquier duda o aclaración, ${contact}.</p>`,
    },
    {
      slug: 'reglamento',
      title: 'Reglamento',
      required_signup: false,
      content: `<h2>Antes de clase</h2>
<p>Llega diez minutos antes. Cuando la clase empieza ya no podemos recibirte, por tu seguridad y la de los demás.</p>
<h2>Salud</h2>
<p>Consulta con tu médico si tienes una lesión o estás embarazada, y avísale a tu coach antes de empezar. Tú decides hasta dónde llegar.</p>
<h2>Convivencia</h2>
<p>Cuida el equipo de ${name} y a quienes toman la clase contigo. Limpia tu lugar al terminar y guarda el celular en silencio.</p>
<h2>Objetos personales</h2>
<p>No nos hacemos responsables de lo que se quede en el estudio; lo guardamos treinta días por si vuelves por ello.</p>`,
    },
  ]
}
