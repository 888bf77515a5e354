/** Parts and formats of an export, without schemas: the screen uses them without loading Zod. */

/** What an export may be limited to. */
export const exportParts = {
  customers: 'Clientes, créditos y notas',
  schedule: 'Horario y reservaciones',
  sales: 'Compras, cobros, facturas y cajas',
  catalogue: 'Paquetes, productos, coaches y estudios',
  content: 'Páginas, avisos, formularios y videos',
  messages: 'Mensajes y segmentos',
  team: 'Equipo, nómina, bitácora y ajustes',
} as const
export type ExportPart = keyof typeof exportParts
export const EXPORT_PARTS = Object.keys(exportParts) as [ExportPart, ...ExportPart[]]
export const EXPORT_FORMATS = ['csv', 'xlsx', 'json'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]
