/** Texts of empty lists (section 2 of both documents). */
export const empty = {
  announcements: 'No hay avisos por mostrar.',
  packages: 'No hay paquetes disponibles.',
  purchases: 'No has hecho ninguna compra.',
  paymentSources: 'No hay metodos de pago registrados',
  classes: 'No hay clases programadas.',
  classesThisWeek: 'No hay más clases programadas esta semana.',
  reservations: 'Aún no has reservado clases.',
  waitlists: 'No te has anotado a ninguna lista de espera.',
  videos: 'Aún no hay videos disponibles.',
  content: 'Sin contenido.',
} as const
