/** The heading above all packages. A name that the studio chose may have any gender and number, so it cannot follow "Todos los". */
export const allPackagesText = (name: string): string => (name === 'Paquetes' ? 'Todos los paquetes' : 'Todas las opciones')
