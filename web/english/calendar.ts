/** English texts of web/features/calendar, by their Spanish text. */
import type { Texts } from './texts.ts'

export const calendar: Texts = {
  // web/features/calendar/add-to-calendar.tsx
  'No pudimos preparar los enlaces. {0}': 'We couldn’t prepare the links. {0}',
  '{0}Apple u otro (.ics)': '{0}Apple or other (.ics)',
  '{0}Google': '{0}Google',
  '{0}Outlook': '{0}Outlook',

  // web/features/calendar/calendar-feed.tsx
  'Tu enlace cambió. El anterior ya no funciona.': 'Your link changed. The previous one no longer works.',
  'Mis clases en mi calendario': 'My classes in my calendar',
  Suscribirme: 'Subscribe',
  'Suscríbete una vez y tu calendario muestra tus clases, también cuando cambian de hora o las cancelas.':
    'Subscribe once and your calendar shows your classes, even when their time changes or you cancel them.',
  'No pudimos cargar tu enlace.': 'We couldn’t load your link.',
  'Tu enlace secreto': 'Your secret link',
  'Para agregarlo a mano: pégalo en «Agregar calendario por URL». Quien lo tenga puede ver tus clases.':
    'To add it yourself, paste it under “Add calendar by URL”. Anyone who has it can see your classes.',
  Copiado: 'Copied',
  'Cambiar el enlace': 'Change the link',
  'Enlace copiado': 'Link copied',
  'El enlace de ahora dejará de funcionar': 'The current link will stop working',
  'Los calendarios que lo usan ya no verán tus clases hasta que pongas el nuevo.':
    'Calendars that use it won’t see your classes until you enter the new one.',
  'Sí, cambiarlo': 'Yes, change it',
  'No, conservarlo': 'No, keep it',

  // web/features/calendar/class-card.tsx
  '{0}Reservada': '{0}Booked',
  'lista de ': '',
  'En {0}espera': 'On the {0}waitlist',
  'Te avisamos': 'We’ll notify you',

  // web/features/calendar/class-facts.ts
  '{0} (en lugar de {1})': '{0} (subbing for {1})',
  ' hasta el {0}': ' until {0}',
  'Con penalización{0}': 'Penalty{0}',
  'Reservas abren el {0}': 'Booking opens {0}',
  'Las reservas aún no abren': 'Booking isn’t open yet',
  'Ya comenzó': 'Already started',
  'Reservas cerraron el {0}': 'Booking closed {0}',
  'Reservas cerradas': 'Booking closed',
  'Cancelada por el estudio': 'Canceled by the studio',
  Exitosa: 'Attended',
  'No Asistí': 'Missed',
  'en lista de espera': 'on the waitlist',
  'ya pasó': 'already over',
  '+1 invitado': '+1 guest',
  Espera: 'Waitlist',
  'Otras clases': 'Other classes',
  'Cancelar mi lugar en': 'Cancel my spot in',
  '+1 invitado en': '+1 guest in',
  'Anotarme en la lista de espera de': 'Join the waitlist for',
  'Quitarme de la lista de espera de': 'Leave the waitlist for',
  'Ver por qué:': 'See why:',
  'Ver mi lugar en': 'See my spot in',
  'Otras clases en vez de': 'Other classes instead of',
  'Qué puedo hacer:': 'What I can do:',

  // web/features/calendar/daily-image.tsx
  'Ver el aviso de {0}': 'See the notice from {0}',
  'Aviso de {0}': 'Notice from {0}',

  // web/features/calendar/next-class.ts
  mañana: 'tomorrow',
  'el {0}': 'on {0}',
  '{0} {1} a las {2}': '{0} {1} at {2}',

  // web/features/calendar/offline-banner.tsx
  '{0}Estás sin conexión. Seguimos en cuanto vuelva.': '{0}You’re offline. We’ll continue as soon as you’re back.',

  // web/features/calendar/other-classes.tsx
  'Otras clases con lugar': 'Other classes with open spots',
  'El estudio canceló esta clase': 'The studio canceled this class',
  'Si tenías lugar, tu crédito ya regresó. Puedes usarlo en otra.':
    'If you had a spot, your credit has been returned. You can use it for another class.',
  'Por ahora no hay otra clase igual con lugar.': 'There’s no other class like this with open spots right now.',

  // web/features/calendar/week-calendar.tsx
  'Todos los Estudios': 'All Studios',
  'Cerrado: {0}': 'Closed: {0}',
  'Cerrado en {0}: {1}': 'Closed at {0}: {1}',
  'Filtros · {0}': 'Filters · {0}',
  Filtros: 'Filters',
  Estudio: 'Studio',
  Mes: 'Month',
  'Significado de cada tarjeta': 'What each card means',
  '{0}Disponible': '{0}Available',
  '{0}Sin Lugares': '{0}Full',

  // web/features/calendar/week-columns.tsx
  Mañana: 'Morning',
  Tarde: 'Afternoon',
  'Ver el día que ya pasó': 'See the past day',
  'Ver los {0} días que ya pasaron': 'See the {0} past days',
  'Ver la semana siguiente': 'See next week',
  '1 clase': '1 class',
  '{0} clases': '{0} classes',
  Hoy: 'Today',
  Ahora: 'Now',
  'Ver 1 clase que ya pasó': 'See 1 past class',
  'Ver {0} clases que ya pasaron': 'See {0} past classes',

  // web/features/calendar/week-filters.tsx
  'Otra clase': 'Another class',
  'Otro coach': 'Another coach',
  'Todos los coaches': 'All coaches',
  Categoría: 'Category',
  'Todas las categorías': 'All categories',
  Hora: 'Time',
  'Cualquier hora': 'Any time',
  'Después de las 18:00': 'After 18:00',
  'Con lugares': 'With open spots',

  // web/features/calendar/week-view.ts
  Noche: 'Evening',
  'sin clases': 'no classes',
  'Semana del {0} al {1} de {2}, {3}': 'Week from {0} to {1} {2}, {3}',
  'la Ciudad de México': 'Mexico City',
  Cancún: 'Cancún',
  Mérida: 'Mérida',
  Mazatlán: 'Mazatlán',
  'Ciudad Juárez': 'Ciudad Juárez',
  'hora de {0}': '{0} time',
  'Cada clase, en la hora de su estudio': 'Each class in its studio’s time zone',
  'Horario de {0}': '{0} time',
}
