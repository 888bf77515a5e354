/** English texts of web/features/videos, by their Spanish text. */
import type { Texts } from './texts.ts'

export const videos: Texts = {
  // web/features/videos/featured-video.tsx
  'Video destacado': 'Featured video',

  // web/features/videos/heart.tsx
  'Favorito: {0}': 'Favorite: {0}',

  // web/features/videos/video-player.tsx
  Subtítulos: 'Captions',

  // web/features/videos/video-card.tsx
  'Con paquete': 'With a package',
  'Desde {0}': 'From {0}',

  // web/features/videos/video-filters.tsx
  '{0}Favoritos': '{0}Favorites',
  '{0}Completados': '{0}Completed',
  'Buscar videos': 'Search videos',
  Tipo: 'Type',
  'Todos los tipos': 'All types',
  Duración: 'Length',
  'Cualquier duración': 'Any length',
  'Menos de {0} min': 'Under {0} min',
  Programa: 'Program',
  'Todos los programas': 'All programs',
  'Busca por nombre': 'Search by name',

  // web/features/videos/video-locked.tsx
  'Muestra del video': 'Video sample',
  'Ver la muestra otra vez': 'See the sample again',
  'Ver una muestra': 'See a sample',
  'Obtener {0}': 'Get {0}',
  'Comprar {0} por {1}': 'Buy {0} for {1}',
  'Ver Paquetes': 'See Packages',

  // web/features/videos/video-player.tsx
  'Video: {0}': 'Video: {0}',
  'No pudimos cargar el video.': 'We couldn’t load the video.',

  // web/features/videos/video-rating.tsx
  'Tu calificación': 'Your rating',
  '¿Qué te pareció?': 'What did you think?',
  'Cambiar calificación': 'Change rating',
  'Gracias por calificar este video.': 'Thank you for rating this video.',
  'Este video': 'This video',

  // web/features/videos/video-text.ts
  'Te queda 1 min': '1 min left',
  'Te quedan {0} min': '{0} min left',
}
