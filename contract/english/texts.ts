/**
 * English texts of the contract by their Spanish text, for pages and for responses of the server. `{0}`, `{1}` are the values inside, in
 * order.
 */
export const contractInEnglish: Readonly<Record<string, string>> = {
  'mientras lo editabas': 'while you were editing',
  // copy/messages.ts
  '¡Pago exitoso!': 'Payment complete!',
  '¡Compra exitosa!': 'Purchase complete!',
  '¡Acceso agregado!': 'Access added!',
  '¡Acceso eliminado!': 'Access removed!',
  '¡Clases Restadas!': 'Classes taken away!',
  'Cambio de plan programado.': 'Plan change scheduled.',
  '¡Paquete agregado al home con éxito!': 'Package added to the home page!',
  '¡Paquete eliminado del home!': 'Package removed from the home page!',
  '¡Suscripción cancelada!': 'Subscription canceled!',
  '¡Método de Pago guardado con éxito!': 'Payment method saved!',
  'Metodo de Pago eliminado con éxito.': 'Payment method deleted.',
  'Método de pago guardado.': 'Payment method saved.',
  'Te enviamos un correo para confirmar tu dirección': 'We sent you an email to confirm your address',
  'Te hemos enviado un correo para reestablecer tu contraseña.': 'We sent you an email to reset your password.',
  'Perfil actualizado con éxito.': 'Profile updated.',
  'Anotada en lista de espera.': 'You’re on the waitlist.',
  'Eliminada de lista de espera.': 'You left the waitlist.',
  'Reservación cancelada.': 'Booking canceled.',
  '¡Reservación guardada con éxito!': 'Your booking is saved!',
  'Reservación registrada.': 'Booking recorded.',
  'Nombre actualizado.': 'Name updated.',
  '¡Favorito agregado!': 'Added to favorites!',
  '¡Favorito eliminado!': 'Removed from favorites!',
  'Las contraseñas no coinciden': 'The passwords don’t match',
  'Debes aceptar los términos y condiciones antes de continuar.': 'You need to accept the terms and conditions before continuing.',
  'El formato del teléfono no es correcto.': 'The format of the phone number isn’t right.',
  'Debes agregar tu ciudad.': 'You need to add your city.',
  'Debes agregar tu estado.': 'You need to add your state.',
  'Debes agregar tu país.': 'You need to add your country.',
  'Debes ingresar un nombre para tu invitado': 'You need to enter a name for your guest',
  'Debes indicar un motivo de cancelación.': 'You need to give a reason for canceling.',
  'Debes llenar este campo.': 'You need to fill in this field.',
  'Debes seleccionar una opción.': 'You need to choose an option.',
  'Debes cargar el archivo solicitado.': 'You need to upload the requested file.',
  'Revisa los campos faltantes o inválidos.': 'Check the missing or invalid fields.',
  'Debes aceptar {0} para continuar': 'You need to accept {0} to continue',
  'Revisa el campo: {0}': 'Check the field: {0}',
  'Debido a que faltan menos de {0} para tu clase, tu crédito para reservar clase no se te regresará.':
    'Since your class starts in less than {0}, your credit won’t be returned.',

  // copy/empty-lists.ts and content-failed.ts
  'No hay avisos por mostrar.': 'There is no news to show.',
  'No hay paquetes disponibles.': 'There are no packages available.',
  'No has hecho ninguna compra.': 'You haven’t made any purchases.',
  'No hay metodos de pago registrados': 'There are no saved payment methods',
  'No hay clases programadas.': 'There are no scheduled classes.',
  'No hay más clases programadas esta semana.': 'There are no more classes scheduled this week.',
  'Aún no has reservado clases.': 'You haven’t booked any classes yet.',
  'No te has anotado a ninguna lista de espera.': 'You haven’t joined any waitlist.',
  'Aún no hay videos disponibles.': 'There are no videos available yet.',
  'Sin contenido.': 'No content.',

  // copy/names.ts
  'Fila {0}, lugar {1}': 'Row {0}, spot {1}',
  'Lugar {0}': 'Spot {0}',
  'lugar {0}': 'spot {0}',
  'Lugares {0} y {1}': 'Spots {0} and {1}',
  'Fila {0}, lugares {1} y {2}': 'Row {0}, spots {1} and {2}',
  'Cada mes': 'Every month',
  'Cada {0} meses': 'Every {0} months',
  'Cada año': 'Every year',
  'Cada {0} años': 'Every {0} years',
  'Cada día': 'Every day',
  'Cada {0} días': 'Every {0} days',

  // server/modules/bookings/rules.ts
  'Faltan menos de {0}: si cancelas, tu crédito no regresa.': 'It starts in less than {0}: if you cancel, your credit won’t be returned.',

  // server/adapters/payments/failures.ts
  'Tu banco no pudo confirmar que eres tú. Intenta de nuevo o usa otra tarjeta.':
    'Your bank couldn’t confirm it was you. Try again or use another card.',

  // server/modules/people/addresses.ts, server/modules/content/form-rules.ts
  'Puedes guardar hasta {0} direcciones.': 'You can save up to {0} addresses.',
  'Esta respuesta no es de este campo.': 'This answer doesn’t belong to this field.',

  // server/modules/fiscal/rules.ts
  'Un RFC tiene 12 o 13 caracteres, como ABC010203XY9.': 'An RFC has 12 or 13 characters, like ABC010203XY9.',
  'Ese RFC es el del público en general. Escribe el tuyo.': 'That RFC is the one for the general public. Enter yours.',
  'Escribe el nombre como está en la constancia de situación fiscal.':
    'Enter the name as it appears on the tax status certificate (constancia de situación fiscal).',
  'Escribe la razón social sin el tipo de sociedad: sin “S.A. de C.V.” ni parecidos.':
    'Enter the company name without its legal form: without “S.A. de C.V.” or the like.',
  'El código postal tiene cinco dígitos.': 'The postal code has five digits.',
  'Ese código postal no existe en México. Escribe el de la constancia.':
    'That postal code doesn’t exist in Mexico. Enter the one on the constancia.',
  'Ese nombre es el del público en general. Escribe el de la constancia de situación fiscal.':
    'That name is the general public’s. Enter the one on the constancia de situación fiscal.',
  'personas morales': 'companies (personas morales)',
  'personas físicas': 'individuals (personas físicas)',
  'Ese régimen no es de {0}.': 'That tax regime is not for {0}.',
  'Con el régimen {0} el uso es {1}.': 'With the tax regime {0}, the use is {1}.',
  'una tarjeta de regalo se factura cuando se usa.': 'a gift card is invoiced when it is used.',
  'todavía no está confirmado.': 'it is not confirmed yet.',
  'no se cobró.': 'it was not charged.',
  'el banco lo está revisando.': 'the bank is reviewing it.',
  'el banco se llevó el dinero.': 'the bank took the money back.',
  'se devolvió completo.': 'it was refunded in full.',
  'su tasa de IVA, {0} %, no es una del SAT.': 'its VAT rate, {0}%, is not one of the SAT’s.',
  'pídela en recepción.': 'ask for it at the front desk.',
  'el mes en que pagaste ya terminó. Pregunta en recepción.': 'the month you paid in is over. Ask at the front desk.',
  'el año en que pagaste ya terminó. Pregunta en recepción.': 'the year you paid in is over. Ask at the front desk.',
  'a una persona moral se le retiene ISR. Pídela en recepción.': 'ISR is withheld from companies. Ask for it at the front desk.',
  'ya está en la factura global de su periodo. Pregunta en recepción.':
    'it is already in the global invoice of its period. Ask at the front desk.',

  // server/modules/sales/views/purchase-view.ts
  'Cambia a {0} el {1}, por {2}.': 'Changes to {0} on {1}, for {2}.',

  // copy/purchase-texts.ts
  Activa: 'Active',
  Completada: 'Completed',
  Pendiente: 'Pending',
  Fallido: 'Failed',
  Revocada: 'Revoked',
  'Cancelada el {0}': 'Canceled on {0}',
  Cancelada: 'Canceled',
  'Ve a cualquier OXXO y di que quieres hacer un pago.': 'Go to any OXXO and say you want to make a payment.',
  'Muestra la referencia en la caja y paga el total exacto en efectivo.':
    'Show the reference at the register and pay the exact total in cash.',
  'Guarda tu recibo. El pago puede tardar hasta un día hábil en confirmarse.':
    'Keep your receipt. The payment can take up to one business day to be confirmed.',
  'Entra a la aplicación de tu banco y elige transferir por SPEI.': 'Open your bank’s app and choose a SPEI transfer.',
  'Registra la CLABE y transfiere el total exacto con la referencia.': 'Enter the CLABE and transfer the exact total with the reference.',
  'El pago se confirma en minutos.': 'The payment is confirmed within minutes.',
  'Di esta referencia en recepción y paga el total.': 'Give this reference at the front desk and pay the total.',
  'Tus clases quedan disponibles en cuanto recepción registre tu pago.':
    'Your classes are available as soon as the front desk records your payment.',

  // forms.ts
  '{0} (Opcional)': '{0} (Optional)',
  Sí: 'Yes',
  No: 'No',
  Archivo: 'File',

  // time.ts, allowed-times.ts
  'Solo {0}': 'Only {0}',
  'Solo en {0}': 'Only at {0}',

  // copy/errors-account.ts: the wording of the embedded card form
  'Lo sentimos. Este paquete se ha agotado.': 'Sorry. This package is sold out.',
  'Lo sentimos. Has alcanzado el límite de compras de este paquete.': 'Sorry. You have reached the purchase limit for this package.',
  'Lo sentimos. No puedes usar este descuento': 'Sorry. You can’t use this discount',

  // copy/validation.ts
  'Escribe un texto.': 'Enter some text.',
  'Escribe un número.': 'Enter a number.',
  'Escribe un número entero.': 'Enter a whole number.',
  'Elige sí o no.': 'Choose yes or no.',
  'Escribe una lista.': 'Enter a list.',
  'Escribe una fecha válida.': 'Enter a valid date.',
  'Escribe un correo válido.': 'Enter a valid email.',
  'Escribe una dirección completa, con https://': 'Enter a complete address, with https://',
  'Escribe una fecha y una hora válidas.': 'Enter a valid date and time.',
  'Escribe una hora válida.': 'Enter a valid time.',
  'Ese valor no se puede usar.': 'That value can’t be used.',
  'Escribe 1 carácter como máximo.': 'Enter at most 1 character.',
  'Escribe {0} caracteres como máximo.': 'Enter at most {0} characters.',
  'Elige 1 opción como máximo.': 'Choose at most 1 option.',
  'Elige {0} opciones como máximo.': 'Choose at most {0} options.',
  'Escribe una fecha anterior.': 'Enter an earlier date.',
  'Ese archivo es demasiado grande.': 'That file is too large.',
  'Escribe un número no mayor que {0}.': 'Enter a number no greater than {0}.',
  'Escribe un número menor que {0}.': 'Enter a number less than {0}.',
  'Escribe al menos {0} caracteres.': 'Enter at least {0} characters.',
  'Elige al menos 1 opción.': 'Choose at least 1 option.',
  'Elige al menos {0} opciones.': 'Choose at least {0} options.',
  'Escribe una fecha posterior.': 'Enter a later date.',
  'Ese archivo está vacío.': 'That file is empty.',
  'Escribe un número no menor que {0}.': 'Enter a number no less than {0}.',
  'Escribe un número mayor que {0}.': 'Enter a number greater than {0}.',
  'Elige una de estas opciones: {0}.': 'Choose one of these options: {0}.',
  'Revisa cómo está escrito.': 'Check how it is written.',
  'Escribe un múltiplo de {0}.': 'Enter a multiple of {0}.',
  'Este dato sobra: {0}.': 'This field is not expected: {0}.',
  'Estos datos sobran: {0}.': 'These fields are not expected: {0}.',
  'Este campo no existe.': 'This field doesn’t exist.',
  'Esa fecha no existe.': 'That date doesn’t exist.',
  'El teléfono lleva diez dígitos.': 'The phone number has ten digits.',
}
