/**
 * Hostile content through every editor of the administration: nothing of it runs or navigates, on public pages or in the administration,
 * and the screens keep their width (T6). A studio of this file's own: it is left full of it.
 */
import type { Page } from '@playwright/test'
import { type SecondBrand, secondBrand } from './second-brand.ts'
import { ahead, enter } from './studio-people.ts'
import { expect, test } from './test.ts'

test.describe.configure({ mode: 'serial', timeout: 300_000 })

const OWNER = { email: 'homero@fragua.example', password: 'fragua-dueno' }

let own: SecondBrand
test.beforeAll(async () => {
  own = await secondBrand()
})
test.afterAll(() => own?.close())

/** Sets `window.ran` wherever it runs. */
const HTML =
  '<script>window.ran=1</script><img src=x onerror="window.ran=2"><svg/onload="window.ran=3"><iframe srcdoc="<script>parent.ran=4</script>"></iframe>' +
  '<a href="javascript:window.ran=5">x</a><style>body{display:none}</style><base href="https://mal.example/"><form action="https://mal.example"><button>y</button></form>'
/** One line: breaks out of attributes, reverses what follows, has no place to break. */
const line = (max: number) => `"'><img src=x onerror=window.ran=6>{{nombre}}\u202e${'W'.repeat(60)}`.slice(0, max)
const CSS = '@import url(https://mal.example/x.css);</style><script>window.ran=7</script>'

/** Watches a page for everything that content must not do. */
function watch(page: Page) {
  const faults: string[] = []
  page.on('dialog', (dialog) => {
    faults.push(`dialog ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('pageerror', (error) => faults.push(`error ${error.message}`))
  page.on('request', (request) => {
    if (request.url().includes('mal.example')) faults.push(`request ${request.url()}`)
  })
  return {
    faults,
    async check(where: string) {
      const found = await page.evaluate(() => ({
        ran: Reflect.get(window, 'ran') as unknown,
        live: [...document.querySelectorAll('*')]
          .filter(
            (element) =>
              [...element.attributes].some(
                ({ name, value }) => name.startsWith('on') || /^\s*javascript:(?!throw new Error\('React)/i.test(value),
              ) || element.matches('base, iframe[srcdoc], form[action*="mal.example"], main style:not([nonce])'),
          )
          .map((element) => element.outerHTML.slice(0, 80)),
        overflow: document.documentElement.scrollWidth - innerWidth,
        isHidden: getComputedStyle(document.body).display === 'none',
      }))
      expect.soft({ where, ...found }).toEqual({ where, ran: undefined, live: [], overflow: 0, isHidden: false })
      expect.soft(faults, where).toEqual([])
      faults.length = 0
    },
  }
}

type Ids = Record<string, number>
let ids: Ids

test('every list, text and message of the studio takes hostile words as words', async () => {
  const post = <T = Ids>(path: string, body: object) => own.owner<T>('POST', path, body)
  const [{ locations }, { class_types }, { instructors }] = await Promise.all([
    own.owner<{ locations: Ids[] }>('GET', '/locations'),
    own.owner<{ class_types: Ids[] }>('GET', '/class_types'),
    own.owner<{ instructors: Ids[] }>('GET', '/instructors'),
  ])
  const [location_id, instructor_id, class_type_id] = [
    locations[0]?.location_id,
    instructors[0]?.instructor_id,
    class_types[0]?.class_type_id,
  ]
  const type = await post<{ class_type: Ids }>('/class_types', {
    class_type_id: 'nuevo',
    name: line(120),
    description: HTML,
    duration_minutes: 50,
  })
  await post('/class_categories', { name: line(120), description: HTML })
  const tag = await post<{ tag: Ids }>('/tags', { name: line(60), type: 'customer' })
  await post('/locations', { location_id: 'nueva', name: line(120), address: line(300), hours: HTML.slice(0, 600) })
  const room = await post<{ room: Ids }>('/rooms', { room_id: 'nueva', location_id, name: line(80), capacity: 9 })
  const coach = await post<{ instructor: Ids }>('/instructors', {
    instructor_id: 'nueva',
    name: line(120),
    last_name: line(100),
    quote: line(300),
    short_bio: HTML,
    music_type: line(200),
    specialties: line(300),
    is_home: true,
  })
  await post('/payment_methods', { payment_method_id: 'nueva', name: line(120), description: HTML, kind: 'other' })
  const classPackage = await post<{ class_package: Ids }>('/class_packages', {
    title: line(120),
    description: HTML,
    short_description: line(300),
    price: '100',
    class_amount: 3,
    expiration_days: 30,
    is_home: true,
  })
  await post('/admin/products', { name: line(120), price: '10' })
  await post('/discounts', { code: `A${'W'.repeat(38)}`, amount: '10', is_percent: true })
  await post('/admin/schedule_templates', { name: line(80), from_week: ahead(0) })
  await post('/admin/holidays', { holidays: [{ name: line(80), from: ahead(60), to: ahead(60) }], classes: 'keep', reason: line(300) })
  await post('/admin/instructor_absences', { instructor_id, from: ahead(50), to: ahead(51), reason: line(200) })
  const cls = await post<{ single_class_ids: number[] }>('/single_class', {
    class_type_id: type.class_type.class_type_id,
    location_id,
    instructor_ids: [coach.instructor.instructor_id],
    class_date: `${ahead(1)}T10:00:00.000Z`,
    capacity: 9,
    description: HTML,
    room_id: null,
  })
  const page = await post<{ page: Ids }>('/pages', {
    slug: 'hostil',
    title: line(200),
    content: `<h2>Hola</h2>${HTML}`,
    seo_title: line(90),
    seo_description: line(200),
    published: true,
  })
  const announcement = await post<{ announcement: Ids }>('/announcements', {
    title: line(200),
    content: `<p>Hola</p>${HTML}`,
    pinned: true,
  })
  const form = await post<{ form: Ids }>('/forms', {
    name: line(120),
    form_fields: [{ key: 'a', label: line(200), type: 'select', options: [line(200)] }],
  })
  const video = await post<{ video: Ids }>('/videos', {
    video_id: 'nuevo',
    name: line(120),
    description: HTML,
    duration: 10,
    url: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ',
  })
  await post('/video_types', { video_type_id: 'nuevo', name: line(120) })
  const program = await post<{ program: Ids }>('/programs', { program_id: 'nuevo', name: line(120), description: HTML.slice(0, 2_000) })
  const { customer_id } = await post<{ customer_id: number }>('/customer', {
    name: line(80),
    last_name: line(80),
    email: 'hostil@correo.example',
  })
  await post(`/admin/customers/${customer_id}/notes`, { text: HTML, pinned: true, for_coaches: true })
  await own.owner('PUT', `/admin/customers/${customer_id}/tags`, { tag_ids: [tag.tag.tag_id] })
  await own.owner('PUT', `/forms/${form.form.form_id}/answers`, { customer_id, answers: { a: line(200) } })
  await post('/available_classes', {
    available_class_id: 'nuevo',
    customer_id,
    title: line(120),
    available_classes: 2,
    expiration_date: ahead(40),
    reason: line(300),
  })
  const single_class_id = cls.single_class_ids[0] ?? 0
  await post('/admin/class_reservations', { customer_id, single_class_id, guest: line(80) })
  await post('/segments', { segment_id: 'nuevo', name: line(60), filter: { query: line(100) } })
  await own.owner('PUT', '/admin/message_templates/reservation_reminder/mail', { subject: line(150).replace('{{nombre}}', ''), text: HTML })
  await post('/admin/broadcasts', {
    audience: { customer_ids: [customer_id] },
    channels: ['mail', 'app'],
    subject: line(150).replace('{{nombre}}', ''),
    text: HTML,
  })
  await post('/admin/staff', { name: line(120), email: 'hostil-equipo@correo.example', role: 'manager' })
  await post('/admin/api_keys', { name: line(80), rights: ['customers.read'] })
  await post('/admin/webhooks', { url: 'https://avisos.example/x', event_types: ['class.created'], description: line(120) })
  await own.owner('PUT', '/admin/me', {
    preferences: { 'clientes.vistas': [{ nombre: line(60), filtro: `q=${encodeURIComponent(line(60))}` }] },
  })
  const { import_id } = await post<{ import_id: number }>('/admin/imports', { source: 'other' })
  ids = {
    customer_id,
    single_class_id,
    page_id: page.page.page_id ?? 0,
    announcement_id: announcement.announcement.announcement_id ?? 0,
    form_id: form.form.form_id ?? 0,
    class_package_id: classPackage.class_package.class_package_id ?? 0,
    room_id: room.room.room_id ?? 0,
    video_id: video.video.video_id ?? 0,
    program_id: program.program.program_id ?? 0,
    import_id,
    instructor_id: coach.instructor.instructor_id ?? 0,
    class_type_id: class_type_id ?? 0,
  }
})

test('the texts, HTML and styles of the settings keep to what they are for', async () => {
  await own.change({
    business_name: line(40),
    tagline: line(200),
    hero_title: line(100),
    hero_text: HTML.slice(0, 1_900),
    about_title: line(100),
    about_text: `<p>Hola</p>${HTML}`,
    mission_text: `<p>Hola</p>${HTML}`,
    location: line(200),
    app_css: CSS,
  })
  for (const [key, value] of [
    ['hero_link', 'javascript:window.ran=8'],
    ['instagram', 'javascript:window.ran=8'],
    ['navbar_logo', 'javascript:window.ran=8'],
    ['primary', 'red;background:url(https://mal.example)'],
  ])
    await expect(own.change({ [key as string]: value }), key).rejects.toThrow('INVALID_INPUT')
})

test('the public pages run nothing of it and keep their width', async ({ page }) => {
  const { check } = watch(page)
  for (const [path, text] of [
    ['/', ''],
    ['/hostil', 'Hola'],
    ['/avisos', 'Hola'],
    [`/calendario?dia=${ahead(1)}`, ''],
    ['/paquetes', ''],
    ['/ubicacion', ''],
    [`/coach/${ids.instructor_id}`, ''],
    [`/checkout/${ids.class_package_id}`, ''],
    ['/registro', ''],
  ] as const) {
    await page.goto(`${own.url}${path}`)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    if (text) await expect(page.getByRole('main').getByText(text).first()).toBeVisible()
    await check(path)
  }
})

test('the screens of the administration run nothing of it and keep their width', async ({ browser, viewport }) => {
  const context = await browser.newContext({ baseURL: own.url, viewport })
  const page = await context.newPage()
  const { check } = watch(page)
  await enter(page, OWNER, '/admin/hoy')
  const document = await page.request.get('/admin/hoy')
  const policy = document.headers()['content-security-policy'] ?? ''
  const [scripts, styles] = ['script-src', 'style-src'].map((name) => policy.split('; ').find((part) => part.startsWith(`${name} `)) ?? '')
  expect(scripts).not.toMatch(/unsafe-inline|unsafe-eval|https?:|data:|blob:/)
  expect(styles).not.toContain('unsafe-inline')
  const { customer_id, single_class_id, page_id, announcement_id, form_id, class_package_id, room_id, video_id, program_id, import_id } =
    ids
  for (const path of [
    '/admin/hoy',
    '/admin/horario',
    '/admin/horario/feriados',
    '/admin/horario/plantillas',
    '/admin/horario/suplencias',
    `/admin/clases/${single_class_id}`,
    '/admin/reservaciones',
    '/admin/mis-clases',
    '/admin/escanear',
    '/admin/clientes',
    `/admin/clientes/${customer_id}`,
    '/admin/clientes/segmentos',
    '/admin/clientes/duplicados',
    '/admin/ventas',
    '/admin/ventas/nueva',
    '/admin/caja',
    '/admin/tarjetas-regalo',
    '/admin/nomina',
    '/admin/nomina/reglas',
    ...['tipos', 'coaches', 'estudios', 'salas', 'categorias', 'etiquetas', 'formas-de-pago'].map((list) => `/admin/catalogo/${list}`),
    `/admin/catalogo/salas/${room_id}`,
    '/admin/paquetes',
    `/admin/paquetes/${class_package_id}`,
    '/admin/descuentos',
    '/admin/productos',
    '/admin/videos',
    `/admin/videos/${video_id}`,
    '/admin/videos/tipos',
    '/admin/videos/programas',
    `/admin/videos/programas/${program_id}`,
    '/admin/contenido/formularios',
    `/admin/contenido/formularios/${form_id}`,
    `/admin/contenido/formularios/${form_id}/respuestas`,
    '/admin/contenido/paginas',
    `/admin/contenido/paginas/${page_id}`,
    '/admin/contenido/avisos',
    `/admin/contenido/avisos?aviso=${announcement_id}`,
    '/admin/mensajes',
    '/admin/mensajes/difusiones',
    '/admin/mensajes/automaticos',
    '/admin/mensajes/nuevo',
    ...['marca', 'portada', 'contacto', 'reservas', 'pagos', 'mensajes', 'avanzado'].map((area) => `/admin/ajustes/${area}`),
    ...['bitacora', 'equipo', 'integraciones', 'importar', `importar/${import_id}`].map((area) => `/admin/ajustes/${area}`),
    '/admin/reportes',
    '/admin/inicio/listo',
  ]) {
    await page.goto(path)
    await expect(page.getByRole('main').getByRole('heading').first(), path).toBeVisible()
    // What is loaded after the heading.
    await page.waitForLoadState('networkidle')
    await check(path)
  }
  await context.close()
})

test('an editor that is given code shows what it keeps and runs nothing while it does', async ({ browser, viewport }) => {
  const context = await browser.newContext({ baseURL: own.url, viewport })
  const page = await context.newPage()
  const { check } = watch(page)
  await enter(page, OWNER, '/admin/contenido/paginas/nueva')
  const editor = page.getByRole('textbox', { name: 'Texto', exact: true })
  await editor.focus()
  // As from another page: the clipboard of the system carries HTML.
  await editor.evaluate((element, html) => {
    const data = new DataTransfer()
    data.setData('text/html', html)
    data.setData('text/plain', 'Hola')
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
  }, `<h2>Hola</h2>${HTML}`)
  await expect(editor).toContainText('Hola')
  await check('pasted')
  await context.close()
})
