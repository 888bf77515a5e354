/** The settings screens, in order, by the last part of their address. Separate from the groups, so that the menu loads no texts. */
export const SETTING_AREAS = {
  marca: 'Marca',
  portada: 'Portada',
  contacto: 'Contacto y lugar',
  reservas: 'Reservas',
  espera: 'Espera y faltas',
  pagos: 'Pagos',
  mensajes: 'Mensajes',
  cuentas: 'Registro y cuentas',
  videos: 'Videos',
  archivos: 'Archivos',
  avanzado: 'Avanzado',
} as const
export type SettingArea = keyof typeof SETTING_AREAS

/** Whether a text is the key of a settings screen. */
export const isSettingArea = (text: string): text is SettingArea => Object.hasOwn(SETTING_AREAS, text)
