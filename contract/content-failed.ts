/** Shown wherever a content page cannot be loaded, whether or not the server responded (S1-8.38, S2-8.07). */
export const CONTENT_FAILED_MESSAGE = 'Lo sentimos, hubo un error al mostrar este contenido.'
