/**
 * How the file is taken out of each system: the steps, and what is drawn beside them. Names of other systems' buttons stand between
 * asterisks. Pure.
 */
import { type ImportField, type ImportKind, type ImportSource, importFields } from '#contract/imports.ts'

/** What is drawn beside a step: a menu, a list with its button, or the file. */
export type GuidePicture =
  | { kind: 'menu'; items: readonly string[]; chosen: string; submenu?: readonly string[]; chosenBelow?: string }
  | { kind: 'list'; title: string; button: string; options?: readonly string[]; chosen?: string }
  | { kind: 'sheet'; headers: readonly string[]; rows: readonly (readonly string[])[] }

export interface GuideStep {
  text: string
  picture: GuidePicture
}

export interface ImportGuide {
  title: string
  steps: readonly GuideStep[]
  /** other files of the system, and what is good to know */
  notes: readonly string[]
}

/** What to write to the support of a system that does not show the export to everybody. */
export const SUPPORT_REQUEST =
  'Hola, necesito un archivo de Excel o CSV con todos mis clientes: número de cliente, nombre, apellidos, correo, teléfono, fecha de nacimiento, paquete o membresía activa, clases restantes y fecha de vencimiento.'

const PEOPLE = [
  ['Guadalupe', 'Ramos', 'lupita@correo.mx', '10 clases', '4', '30/11/2026'],
  ['Óscar', 'Medina', 'oscar@correo.mx', 'Ilimitado', 'Ilimitado', '15/12/2026'],
]
const ENGLISH_HEADERS = ['First Name', 'Last Name', 'Email', 'Package', 'Remaining', 'Expiration']
const sheetOf = (headers: readonly string[], rows: readonly (readonly string[])[] = PEOPLE): GuidePicture => ({
  kind: 'sheet',
  headers,
  rows,
})

const CHECK_FILE =
  'Revisa que el archivo tenga un renglón por persona. No importa en qué orden vengan las columnas: en el paso siguiente dices qué es cada una.'
const TWO_FILES =
  'Si las clases restantes vienen en otro archivo, elígelos juntos o súbelo después como otra importación: a quien ya está solo se le completa lo que falta.'
const MENU_DIFFERS = 'Los nombres de los botones cambian según tu plan y el idioma de tu cuenta.'

const GUIDES: Readonly<Record<Exclude<ImportSource, 'estudio' | 'other'>, Omit<ImportGuide, 'title'>>> = {
  mindbody: {
    steps: [
      {
        text: 'Entra a Mindbody desde una computadora y abre *Reports*. En la categoría *Clients*, elige *Mailing Lists*: es el reporte que trae a toda tu clientela.',
        picture: {
          kind: 'menu',
          items: ['Home', 'Classes', 'Clients', 'Retail', 'Reports'],
          chosen: 'Reports',
          submenu: ['Birthdays', 'Mailing Lists', 'Membership', 'Visits Remaining'],
          chosenBelow: 'Mailing Lists',
        },
      },
      {
        text: 'Deja los filtros en *All*, genera el reporte y elige *Export to Excel*.',
        picture: {
          kind: 'list',
          title: 'Mailing Lists',
          button: 'Export',
          options: ['Print', 'Export to Excel'],
          chosen: 'Export to Excel',
        },
      },
      {
        text: 'Haz lo mismo con *Visits Remaining*: es el que dice qué paquete tiene cada quien, cuántas clases le quedan y cuándo vencen.',
        picture: sheetOf(
          ['First Name', 'Last Name', 'Client ID', 'Pricing Option', 'Remaining', 'Expiration Date'],
          [
            ['Guadalupe', 'Ramos', '100001', '10 Class Card', '4', '12/15/2026'],
            ['Óscar', 'Medina', '100002', 'Unlimited', 'Unlimited', '11/30/2026'],
          ],
        ),
      },
    ],
    notes: [
      'Elige los dos archivos juntos, primero la lista de clientes; o sube el segundo después, como otra importación. El *Client ID* los une y nadie se duplica.',
      'Para el historial de compras: *Reports › Sales › Sales*. Las fechas vienen con el mes primero; se pregunta una vez.',
      MENU_DIFFERS,
    ],
  },
  teamup: {
    steps: [
      {
        text: 'En el menú de TeamUp abre *Customers* y después *Customer List*.',
        picture: {
          kind: 'menu',
          items: ['Dashboard', 'Calendar', 'Customers', 'Memberships', 'Reports'],
          chosen: 'Customers',
          submenu: ['Customer List', 'Groups'],
          chosenBelow: 'Customer List',
        },
      },
      {
        text: 'Filtra por *Active* si solo quieres traer a quien sigue viniendo. Elige *Export* y después CSV o Excel.',
        picture: { kind: 'list', title: 'Customer List', button: 'Export', options: ['PDF', 'CSV/Excel'], chosen: 'CSV/Excel' },
      },
      { text: CHECK_FILE, picture: sheetOf(['First name', 'Last name', 'Email', 'Membership', 'Sessions remaining', 'Expiry date']) },
    ],
    notes: [
      'La lista de TeamUp puede venir sin las clases restantes de los *class packs* ni las pausas. Agrega a mano las columnas “Clases por usar” y “Vencimiento”, o corrígelas en la ficha.',
      MENU_DIFFERS,
    ],
  },
  glofox: {
    steps: [
      {
        text: 'En el panel de Glofox abre *Manage* y después *Clients*.',
        picture: {
          kind: 'menu',
          items: ['Dashboard', 'Calendar', 'Manage', 'Reports', 'Settings'],
          chosen: 'Manage',
          submenu: ['Classes', 'Clients', 'Memberships'],
          chosenBelow: 'Clients',
        },
      },
      {
        text: 'Abre *Actions* y elige *Download*: baja un CSV con todos tus clientes.',
        picture: { kind: 'list', title: 'Clients', button: 'Actions', options: ['Import', 'Download'], chosen: 'Download' },
      },
      {
        text: CHECK_FILE,
        picture: sheetOf(
          ['Name', 'Email', 'Phone', 'Membership Name', 'Credits', 'Expiry Date'],
          [
            ['Regina Salas', 'regina@correo.mx', '5510203040', 'Clase suelta', '1', '2026-12-01'],
            ['Diego Núñez', 'diego@correo.mx', '5510203041', '', '', ''],
          ],
        ),
      },
    ],
    notes: [
      'En *Reports › Memberships › Members* está el plan, el estado y el vencimiento de quien tiene membresía; también se baja con *Download*.',
      'La descarga puede venir sin las membresías en pausa ni quién depende de quién.',
      MENU_DIFFERS,
    ],
  },
  momence: {
    steps: [
      {
        text: 'En el menú de la izquierda abre *Customers* y después *Customer list*.',
        picture: {
          kind: 'menu',
          items: ['Home', 'Schedule', 'Customers', 'Analytics', 'Settings'],
          chosen: 'Customers',
          submenu: ['Customer list', 'Tags'],
          chosenBelow: 'Customer list',
        },
      },
      {
        text: 'Quita los filtros para que estén todos y descarga la lista como CSV.',
        picture: { kind: 'list', title: 'Customer list', button: 'Export', options: ['CSV'], chosen: 'CSV' },
      },
      {
        text: CHECK_FILE,
        picture: sheetOf(
          ['Full Name', 'E-mail', 'Mobile', 'Pass Name', 'Credits Left', 'Expires On'],
          [
            ['Valeria Cruz', 'valeria@correo.mx', '5599887766', 'Pack 10', '3 of 10', 'Dec 24, 2026'],
            ['Iván Cota', 'ivan@correo.mx', '8112340001', 'Pack 5', '5 of 5', 'Jan 08, 2027'],
          ],
        ),
      },
    ],
    notes: [TWO_FILES, MENU_DIFFERS],
  },
  arketa: {
    steps: [
      {
        text: 'En Arketa abre *Customers* y después *Clients*.',
        picture: {
          kind: 'menu',
          items: ['Home', 'Schedule', 'Customers', 'Products', 'Reports'],
          chosen: 'Customers',
          submenu: ['Clients', 'Import'],
          chosenBelow: 'Clients',
        },
      },
      {
        text: 'Deja la lista sin filtros y descárgala como CSV.',
        picture: { kind: 'list', title: 'Clients', button: 'Export', options: ['CSV'], chosen: 'CSV' },
      },
      { text: CHECK_FILE, picture: sheetOf(ENGLISH_HEADERS) },
    ],
    notes: [TWO_FILES, MENU_DIFFERS],
  },
  fitco: {
    steps: [
      {
        text: 'En Fitco abre la lista de tus clientes o socios.',
        picture: { kind: 'menu', items: ['Inicio', 'Calendario', 'Clientes', 'Reportes', 'Configuración'], chosen: 'Clientes' },
      },
      {
        text: 'Quita los filtros para que estén todos y exporta la lista a Excel.',
        picture: { kind: 'list', title: 'Clientes', button: 'Exportar', options: ['Excel'], chosen: 'Excel' },
      },
      { text: CHECK_FILE, picture: sheetOf(['Nombre', 'Apellidos', 'Correo', 'Membresía', 'Clases disp.', 'Vence']) },
    ],
    notes: [
      'Los renglones de título y de totales se reconocen y se dejan fuera; los acentos también, aunque el archivo sea de un Excel antiguo.',
      TWO_FILES,
      MENU_DIFFERS,
    ],
  },
}

/** The columns that a file of a kind may have, with a row as an example. */
const SHEETS: Readonly<Record<ImportKind, readonly (readonly [field: ImportField, sample: string])[]>> = {
  customers: [
    ...([
      ['name', 'Guadalupe'],
      ['last_name', 'Ramos Vela'],
      ['email', 'lupita@correo.mx'],
    ] as const),
    ...([
      ['phone', '55 2210 8841'],
      ['package', '10 clases'],
      ['credits', '4'],
      ['expires', '30/11/2026'],
    ] as const),
  ],
  coaches: [
    ['full_name', 'Sofía Arce'],
    ['nick_name', 'Sofi'],
    ['birthdate', '04/05/1992'],
    ['instagram', '@sofi.arce'],
    ['specialties', 'Reformer'],
  ],
  classes: [
    ...([
      ['external_ref', '7001'],
      ['class_type', 'Reformer'],
      ['instructor', 'Sofía'],
      ['location', 'Roma'],
    ] as const),
    ...([
      ['date', '07/12/2026'],
      ['time', '19:00'],
      ['minutes', '50'],
      ['capacity', '10'],
    ] as const),
  ],
  reservations: [
    ['email', 'lupita@correo.mx'],
    ['class_ref', '7001'],
    ['date', '07/12/2026'],
    ['time', '19:00'],
    ['status', 'Reservada'],
  ],
  notes: [
    ['email', 'lupita@correo.mx'],
    ['date', '02/09/2026'],
    ['note', 'Prefiere la fila 1'],
    ['tags', 'Embajadora'],
  ],
  purchases: [
    ['email', 'lupita@correo.mx'],
    ['date', '01/11/2026'],
    ['package', '10 clases'],
    ['amount', '$1,790.00'],
    ['way', 'Terminal'],
  ],
  subscriptions: [
    ['email', 'lupita@correo.mx'],
    ['package', 'Ilimitado mensual'],
    ['next_charge', '15/12/2026'],
    ['amount', '$2,190.00'],
  ],
}

const kindSheet = (kind: ImportKind): GuidePicture =>
  sheetOf(
    SHEETS[kind].map(([field]) => (field === 'external_ref' || field === 'class_ref' ? 'ID clase' : importFields[field])),
    [SHEETS[kind].map(([, sample]) => sample)],
  )

const SAVE_STEPS: readonly GuideStep[] = [
  {
    text: 'En Excel: *Archivo › Guardar como › Libro de Excel (.xlsx)*. En Hojas de cálculo de Google: *Archivo › Descargar › Microsoft Excel (.xlsx)*. En Numbers: *Archivo › Exportar a › Excel*.',
    picture: {
      kind: 'list',
      title: 'Guardar como',
      button: 'Tipo',
      options: ['Libro de Excel (.xlsx)', 'CSV UTF-8 (.csv)', 'Libro de Excel 97-2003 (.xls)'],
      chosen: 'Libro de Excel (.xlsx)',
    },
  },
]
const SAVE_NOTES = [
  'Se lee la primera hoja con datos. Un libro con contraseña, un PDF o un .xls de Excel 97-2003 no se pueden leer: guárdalo otra vez como .xlsx.',
  'Teléfonos con 044, 045 o 52, fechas de cualquier forma, títulos arriba y totales abajo no estorban.',
]

/** The guide of a file. A file of another kind than customers is shown by its columns, whatever the system is. */
export function importGuide(source: ImportSource, kind: ImportKind, sourceName: string): ImportGuide {
  if (source === 'estudio')
    return {
      title: 'Cómo sacar el archivo de Estudio',
      steps: [
        {
          text: 'En el otro estudio, abre *Ajustes › Exportar* y pide *Todo* como CSV.',
          picture: { kind: 'list', title: 'Exportar', button: 'Preparar', options: ['CSV', 'Excel', 'JSON'], chosen: 'CSV' },
        },
        {
          text: `Descomprime el ZIP y sube aquí *${ESTUDIO_FILES[kind]}*.`,
          picture: {
            kind: 'sheet',
            headers: ['Orden', 'Archivo'],
            rows: Object.values(ESTUDIO_FILES).map((file, at) => [String(at + 1), file]),
          },
        },
      ],
      notes: ['Súbelos en el orden del dibujo: las reservaciones necesitan a los clientes y al horario.'],
    }
  if (source === 'other' || kind !== 'customers')
    return {
      title: source === 'other' ? 'Cómo preparar tu archivo' : `Cómo preparar el archivo de ${sourceName}`,
      steps: [
        {
          text:
            source === 'other'
              ? 'Pon un encabezado por columna y un renglón por dato, como aquí. El orden y los nombres pueden ser otros; las columnas que no uses no hacen falta.'
              : `Busca en los reportes de ${sourceName} el que trae estos datos y expórtalo a Excel o CSV. El orden y los nombres pueden ser otros.`,
          picture: kindSheet(kind),
        },
        ...SAVE_STEPS,
      ],
      notes: SAVE_NOTES,
    }
  return { title: `Cómo sacar el archivo de ${sourceName}`, ...GUIDES[source] }
}

/** The file of a whole studio's export that has each kind, in the order of importing them. */
const ESTUDIO_FILES: Readonly<Record<ImportKind, string>> = {
  customers: 'clientes.csv',
  coaches: 'perfiles-de-coaches.csv',
  classes: 'horario.csv',
  reservations: 'lugares.csv',
  notes: 'notas-y-etiquetas.csv',
  purchases: 'historial-de-compras.csv',
  subscriptions: 'suscripciones-por-activar.csv',
}

/** "Abre *Reports*." as parts; those at odd positions are names of buttons. */
export const guideParts = (text: string): readonly string[] => text.split('*')
