/** Pages, videos, messages, reports and settings: what fields mean (contract/field-descriptions.ts). */
import { settingsTable } from '#contract/setting-help.ts'

export const siteFields: Readonly<Record<string, string>> = {
  // Reports
  '/admin/reports.period': 'Periodo de las cifras: la semana, el mes o el año en curso.',
  compare: 'Contra el periodo de antes, el de un año antes, o ninguno.',
  group_by: 'Cómo se agrupan los renglones; cada reporte dice sus grupos.',
  slot: 'Solo las clases que empiezan ese día de la semana a esa hora, como 4-18:00; 1 es lunes.',
  only: 'Solo estos renglones de la tabla: una de las `choices` del reporte. Las cifras y las gráficas no cambian.',

  // The audit trail
  '/admin/audit.audit_id': 'Solo esta entrada.',
  '/admin/audit.entity': 'Solo esta clase de cosa.',
  '/admin/exports/audit.entity': 'Solo esta clase de cosa.',
  '/admin/audit.entity_id': 'Solo la cosa con este número o clave; con `entity`.',
  '/admin/exports/audit.entity_id': 'Solo la cosa con este número o clave; con `entity`.',
  '/admin/audit.entries': 'Lo que se hizo, lo más nuevo primero.',
  'entries.audit_id': 'Entrada de la bitácora.',

  // Broadcasts
  broadcast_id: 'El mensaje a muchos.',

  // Pages and announcements
  published: 'Si está en el sitio; si no, solo la ve el equipo.',
  seo_title: 'Título para buscadores y vistas previas; null: el de la página.',
  seo_description: 'Descripción para buscadores y vistas previas; null: la del estudio.',
  pinned: 'Si está fijado: va antes que los demás.',

  // Videos
  captions: 'Subtítulos del video subido, en formato WebVTT.',
  sample_file_id: 'Archivo de video de hasta 20 MB que cualquiera puede ver antes de comprar; se muestran sus primeros 15 segundos.',
  completed: 'Si ya lo terminó.',
  embed: 'Cómo se reproduce.',
  favorite: 'Si es de sus favoritos.',
  favorites: 'Solo los favoritos.',
  featured: 'Si se destaca.',
  host: 'Servicio que lo reproduce.',
  playbacks: 'Cada vez que se vio.',
  program_order: 'Lugar en su programa.',
  rating: 'Calificación.',
  ratings: 'Calificaciones.',
  stars: 'Estrellas, 1 a 5.',
  video: 'Video.',
  video_type: 'Tipo de video.',
  video_types: 'Tipos de video.',
  videos: 'Videos.',

  // Messages
  channel: 'Medio: correo, WhatsApp o el buzón de la cuenta.',
  event: 'Qué se avisa.',
  mails: 'Correos.',
  message: 'Frase para la persona.',
  messages: 'Mensajes.',
  sent: 'Si se envió.',
  subject: 'Asunto.',
  text: 'Texto.',
  tries: 'Cuántas veces se intentó.',
  unread: 'Cuántos faltan por leer.',

  // Settings, answers
  ok: 'true: se hizo.',
  public: 'Si lo lee cualquier visitante.',
  query: 'Texto que se busca, sin importar acentos ni mayúsculas.',
  settings: 'Ajustes del estudio, cada uno con su clave y su valor.',
  '/appconfig.settings': `Los ajustes que cambian: todos o ninguno.\n\n${settingsTable()}`,
}
