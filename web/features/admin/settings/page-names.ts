/** The pages where settings show, by their address, in words. */
import { adminPaths } from '#contract/admin-paths.ts'
import { paths } from '#contract/paths.ts'

const NAMES: Readonly<Record<string, string>> = {
  [paths.home]: 'Portada',
  [paths.schedule]: 'Calendario',
  [paths.location]: 'Ubicación',
  [paths.login]: 'Entrar',
  [paths.signup]: 'Registro',
  [paths.recovery]: 'Recuperar contraseña',
  [paths.mystudio.calendar]: 'Mi calendario',
  [paths.mystudio.reservations]: 'Mis reservaciones',
  [paths.mystudio.waitlists]: 'Listas de espera',
  [paths.mystudio.purchases]: 'Mis compras',
  [paths.mystudio.invoices]: 'Mis Cargos',
  [paths.mystudio.messages]: 'Mensajes de la cuenta',
  [paths.mystudio.profile]: 'Mi información',
  [paths.mystudio.online]: 'Videos',
  [adminPaths.schedule]: 'Horario',
  [adminPaths.newSale]: 'Nueva venta',
  [adminPaths.till]: 'Caja',
}

/** The name of a page; the packages have an address of the studio's own. */
export const pageName = (path: string): string => NAMES[path] ?? 'Paquetes'
