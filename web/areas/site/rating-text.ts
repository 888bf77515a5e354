import type { PublicRating } from '#contract/bookings.ts'

/** "4.9 de 5 en 1,204 calificaciones"; the average always with its decimal: "5.0 de 5". */
export const ratingText = ({ average, ratings }: PublicRating): string =>
  `${average.toLocaleString('es-MX', { minimumFractionDigits: 1 })} de 5 en ${ratings.toLocaleString('es-MX')} calificaciones`
