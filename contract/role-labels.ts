import type { Role } from './rights.ts'

/** The roles of staff as screens name them. Apart from the rights, so that the frame of the administration does not load those. */
export const roleLabels: Record<Role, string> = { owner: 'Propiedad', manager: 'Gerencia', reception: 'Recepción', coach: 'Coach' }
