/** Query key of the token with which a public page is shown with unsaved settings (docs/domain.md G10). */
export const PREVIEW_KEY = 'vista_previa'

/** The path of a mail as the studio sends it; only a preview answers there. */
export const PREVIEWED_MAIL = '/correo-de-muestra'
