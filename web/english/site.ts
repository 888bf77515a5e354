/** English texts of the public pages and web/features/site, by their Spanish text. */
import type { Texts } from './texts.ts'

export const site: Texts = {
  // web/areas/site/announcements.tsx
  Avisos: 'News',
  'Avisos de {0}.': 'News from {0}.',

  // web/areas/site/class-type.tsx
  Intensidad: 'Intensity',
  'Próximas clases': 'Upcoming classes',

  // web/areas/site/coach.tsx
  'Entrena con {0}': 'Train with {0}',

  // web/areas/site/rating-text.ts
  '{0} de 5 en {1} calificaciones': '{0} out of 5 in {1} ratings',

  // web/areas/site/landing-hero.tsx
  'Lee las reseñas': 'Read the reviews',
  Horarios: 'Schedule',
  'Ver horarios': 'See the schedule',
  'Pausar video': 'Pause video',
  'Reproducir video': 'Play video',
  'Hoy en el estudio': 'Today at the studio',
  'Mañana en el estudio': 'Tomorrow at the studio',

  // web/areas/site/landing-schedule.tsx
  Semanas: 'Weeks',
  'Semana anterior': 'Previous week',
  'Semana siguiente': 'Next week',
  'Las clases de hoy ya terminaron.': 'Today’s classes are over.',
  'Ver la semana completa': 'See the whole week',

  // web/areas/site/landing-sections.tsx
  Nosotros: 'About us',
  'Nuestra misión': 'Our mission',
  'Las marcas dicen qué tan intensa es. Elige por cómo quieres salir, no por cómo llegas.':
    'The marks show how intense it is. Choose by how you want to leave, not by how you arrive.',
  Coaches: 'Coaches',
  'Coaches anteriores': 'Previous coaches',
  'Más coaches': 'More coaches',
  'Ver menos': 'See less',
  'Conoce más': 'Learn more',
  'Conoce a todo el equipo': 'Meet the whole team',
  'Ver todos los paquetes': 'See all packages',
  'Ver todos los avisos': 'See all news',
  'Dónde estamos': 'Where we are',
  'Horarios y teléfonos': 'Hours and phone numbers',
  'Cómo llegar': 'Directions',

  // web/areas/site/landing.server.ts
  'Reserva tu primera clase': 'Book your first class',

  // web/areas/site/layout.tsx
  Cargando: 'Loading',

  // web/areas/site/location.tsx
  Ubicación: 'Location',
  'Dónde está {0}.': 'Where to find {0}.',
  'Horario: ': 'Hours: ',
  'Cómo llegar a {0}': 'Directions to {0}',

  // web/areas/site/next-classes.tsx
  'Ver todos los horarios': 'See all times',
  'Ver más': 'See more',

  // web/areas/site/packages.tsx
  '{0} de {1}: clases sueltas, membresías y precios.': '{0} at {1}: single classes, memberships and prices.',
  'Tipo de clases': 'Class type',

  // web/areas/site/person.tsx
  'Cumpleaños: ': 'Birthday: ',
  'Música: ': 'Music: ',

  // web/areas/site/questions.tsx
  'Preguntas frecuentes': 'Frequently asked questions',

  // web/areas/site/service-worker.ts
  'Sin conexión': 'Offline',
  'Estás sin conexión': 'You’re offline',
  'Tu próxima clase': 'Your next class',
  'Cuando vuelva la conexión verás aquí tus clases.': 'When you’re back online you’ll see your classes here.',

  // web/areas/site/schedule.tsx
  'Horarios de clases de {0}. Elige tu clase y reserva tu lugar.': 'Class schedule at {0}. Choose your class and book your spot.',

  // web/features/site/coach-portrait.tsx
  'Retrato de {0}': 'Portrait of {0}',

  // web/features/site/copy-button.tsx
  'Tu navegador no dejó copiar. Selecciona el texto y cópialo.': 'Your browser didn’t allow copying. Select the text and copy it.',
  'Copiada {0}': 'Copied: {0}',
  'Copiar {0}': 'Copy {0}',
  Copiada: 'Copied',
  Copiar: 'Copy',

  // web/features/site/footer.tsx
  Contacto: 'Contact',
  Síguenos: 'Follow us',

  // web/features/site/next-steps.ts
  'Ver esa clase': 'See that class',

  // web/features/site/site-navbar.tsx
  Certificación: 'Certification',
  Ingresar: 'Sign in',

  // web/features/site/whatsapp-button.tsx
  'Contacto directo': 'Direct contact',
  'Escríbenos por WhatsApp': 'Message us on WhatsApp',
}
