/** Slugs of the product's own addresses, without schemas. */

/** They would hide a content page. /preguntas-frecuentes shows the page of that slug. */
// biome-ignore format: site, then what is behind it
export const RESERVED_SLUGS = [
  'entrar', 'registro', 'recuperar', 'calendario', 'avisos', 'ubicacion', 'coach', 'instructor', 'class-type',
  'paquetes', 'checkout', 'gracias', 'mystudio', 'admin', 'api', 'archivos', 'arte', 'iconos', 'espera', 'ven', 'baja', 'pagar', 'tarjeta', 'tarjetas-de-regalo', 'identidad', 'seguridad',
  'cuenta', 'assets', 'manifest', 'sitemap', 'robots',
] as const
