/** Every address of the product and the file of its page (spec 1 section 2, spec 2 section 2). */
import { index, layout, type RouteConfig, type RouteConfigEntry, route } from '@react-router/dev/routes'

const site: RouteConfigEntry[] = [
  index('areas/site/landing.tsx'),
  route('calendario', 'areas/site/schedule.tsx'),
  route('paquetes', 'areas/site/packages.tsx'),
  route('avisos', 'areas/site/announcements.tsx'),
  route('ubicacion', 'areas/site/location.tsx'),
  route('preguntas-frecuentes', 'areas/site/questions.tsx'),
  route('coach/:coach_id', 'areas/site/coach.tsx'),
  route('instructor/:instructor_id', 'areas/site/instructor.tsx'),
  route('class_type/:class_type_id', 'areas/site/class-type.tsx'),
  // The configurable packages path, the content pages, and the landing page for everything else.
  route('*', 'areas/site/any-path.tsx'),
]

const access: RouteConfigEntry[] = [
  route('entrar', 'areas/access/login.tsx'),
  route('registro', 'areas/access/signup.tsx'),
  route('recuperar', 'areas/access/recovery.tsx'),
  route('seguridad', 'areas/access/security.tsx'),
  route('cuenta/accion', 'areas/access/mail-action.tsx'),
  route('cuenta/invitacion/:token', 'areas/access/invitation.tsx'),
  route('espera/:token', 'areas/access/offer.tsx'),
  route('tarjeta/:token', 'areas/access/card-change.tsx'),
]

const account: RouteConfigEntry[] = [
  route('mystudio', 'areas/account/mystudio.tsx', [
    index('areas/account/calendar.tsx'),
    route('online', 'areas/account/online.tsx'),
    route('video/:video_id', 'areas/account/video.tsx'),
    route('reservaciones', 'areas/account/reservations.tsx'),
    route('waitlists', 'areas/account/waitlists.tsx'),
    route('paquetes', 'areas/account/packages.tsx'),
    route('informacion', 'areas/account/profile.tsx'),
    route('membresias', 'areas/account/purchases.tsx'),
    route('pagos', 'areas/account/invoices.tsx'),
    route('metodos', 'areas/account/cards.tsx'),
    route('creditos', 'areas/account/credits.tsx'),
    route('mensajes', 'areas/account/messages.tsx'),
    // The configurable packages path; anything else redirects to the calendar.
    route('*', 'areas/account/any-path.tsx'),
  ]),
  route('gracias/:purchase_id', 'areas/account/thanks.tsx'),
]

const admin: RouteConfigEntry[] = [
  index('areas/admin/home.tsx'),
  route('hoy', 'areas/admin/today.tsx'),
  route('horario', 'areas/admin/schedule.tsx'),
  route('horario/feriados', 'areas/admin/holidays.tsx'),
  route('horario/suplencias', 'areas/admin/substitutions.tsx'),
  route('mis-clases', 'areas/admin/my-classes.tsx'),
  route('clases/:single_class_id', 'areas/admin/roster.tsx'),
  route('reservaciones', 'areas/admin/reservations.tsx'),
  route('escanear', 'areas/admin/scan.tsx'),
  route('reservaciones/:class_reservation_id', 'areas/admin/reservation.tsx'),
  route('clientes', 'areas/admin/customers.tsx'),
  route('clientes/duplicados', 'areas/admin/duplicates.tsx'),
  route('clientes/segmentos', 'areas/admin/segments.tsx'),
  route('clientes/:customer_id', 'areas/admin/customer.tsx'),
  route('ventas', 'areas/admin/sales.tsx'),
  route('ventas/nueva', 'areas/admin/new-sale.tsx'),
  route('ventas/:purchase_id', 'areas/admin/sale.tsx'),
  route('paquetes', 'areas/admin/packages.tsx'),
  route('paquetes/:class_package_id', 'areas/admin/package.tsx'),
  route('descuentos', 'areas/admin/discounts.tsx'),
  route('productos', 'areas/admin/products.tsx'),
  route('tarjetas-regalo', 'areas/admin/gift-cards.tsx'),
  route('catalogo/:lista', 'areas/admin/catalogue.tsx'),
  route('contenido/formularios', 'areas/admin/forms.tsx'),
  route('contenido/formularios/:form_id', 'areas/admin/form.tsx'),
  route('videos', 'areas/admin/videos.tsx'),
  route('videos/tipos', 'areas/admin/video-types.tsx'),
  route('videos/programas', 'areas/admin/programs.tsx'),
  route('videos/programas/:program_id', 'areas/admin/program.tsx'),
  route('videos/:video_id', 'areas/admin/video.tsx'),
  route('contenido/avisos', 'areas/admin/announcements.tsx'),
  route('mensajes', 'areas/admin/messages.tsx'),
  route('ajustes/:area?', 'areas/admin/settings.tsx'),
  route('ajustes/equipo', 'areas/admin/team.tsx'),
  route('ajustes/bitacora', 'areas/admin/audit.tsx'),
  route('caja', 'areas/admin/till.tsx'),
  route('caja/cortes', 'areas/admin/till-counts.tsx'),
  route('caja/cortes/:cash_session_id', 'areas/admin/till-count.tsx'),
  route('*', 'areas/admin/missing.tsx'),
]

export default [
  route('favicon.svg', 'areas/site/favicon.ts'),
  route('icono.svg', 'areas/site/maskable-icon.ts'),
  route('manifest.webmanifest', 'areas/site/web-manifest.ts'),
  route('sitemap.xml', 'areas/site/sitemap.ts'),
  route('robots.txt', 'areas/site/robots.ts'),
  route('sw.js', 'areas/site/service-worker.ts'),
  layout('areas/site/layout.tsx', site),
  layout('areas/access/layout.tsx', access),
  layout('areas/account/shell.tsx', account),
  route('checkout/:class_package_id', 'areas/account/checkout.tsx'),
  route('admin', 'areas/admin/shell.tsx', admin),
] satisfies RouteConfig
