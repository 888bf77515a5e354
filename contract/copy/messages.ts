/** Sentences that are not refusals, word for word as the spec lists them (section 8 of both documents, settled 30). */

export const success = {
  paid: '¡Pago exitoso!',
  bought: '¡Compra exitosa!',
  accessGiven: '¡Acceso agregado!',
  accessRevoked: '¡Acceso eliminado!',
  classesRemoved: '¡Clases Restadas!',
  subscriptionCancelled: '¡Suscripción cancelada!',
  planScheduled: 'Cambio de plan programado.',
  packageOnHome: '¡Paquete agregado al home con éxito!',
  packageOffHome: '¡Paquete eliminado del home!',
  paymentMethodSaved: '¡Método de Pago guardado con éxito!',
  paymentSourceDeleted: 'Metodo de Pago eliminado con éxito.',
  paymentSourceSaved: 'Método de pago guardado.',
  studioPaymentMethodSaved: 'payment_method saved.',
  studioPaymentMethodDeleted: 'payment_method deleted.',
  announcementSaved: 'Announcement saved.',
  announcementDeleted: 'Announcement deleted.',
  confirmationMailSent: 'Te enviamos un correo para confirmar tu dirección',
  recoveryMailSent: 'Te hemos enviado un correo para reestablecer tu contraseña.',
  profileUpdated: 'Perfil actualizado con éxito.',
  waitlistJoined: 'Anotada en lista de espera.',
  waitlistLeft: 'Eliminada de lista de espera.',
  tagSaved: 'Tag saved.',
  tagDeleted: 'Tag deleted.',
  reservationCancelled: 'Reservación cancelada.',
  reservationSaved: '¡Reservación guardada con éxito!',
  reservationRecorded: 'Reservación registrada.',
  guestNameUpdated: 'Nombre actualizado.',
  favouriteAdded: '¡Favorito agregado!',
  favouriteRemoved: '¡Favorito eliminado!',
} as const

/** Validation messages beside a field (section 5 of both documents). */
export const validation = {
  passwordsDiffer: 'Las contraseñas no coinciden',
  acceptTerms: 'Debes aceptar los términos y condiciones antes de continuar.',
  phone: 'El formato del teléfono no es correcto.',
  city: 'Debes agregar tu ciudad.',
  state: 'Debes agregar tu estado.',
  country: 'Debes agregar tu país.',
  guestName: 'Debes ingresar un nombre para tu invitado',
  cancelReason: 'Debes indicar un motivo de cancelación.',
  fillField: 'Debes llenar este campo.',
  chooseOption: 'Debes seleccionar una opción.',
  uploadFile: 'Debes cargar el archivo solicitado.',
  severalInvalid: 'Revisa los campos faltantes o inválidos.',
} as const

/** 'Debes aceptar {page name} para continuar' */
export const mustAccept = (page: string) => `Debes aceptar ${page} para continuar`
/** 'Revisa el campo: {label}' */
export const checkField = (label: string) => `Revisa el campo: ${label}`
/** The warning before a late cancel (spec 2 section 5); `window` as `formatWindow` gives it. */
export const lateCancelWarning = (window: string) =>
  `Debido a que faltan menos de ${window} para tu clase, tu crédito para reservar clase no se te regresará.`
