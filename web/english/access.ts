/** English texts of the pages of web/areas/access, by their Spanish text. */
import type { Texts } from './texts.ts'

export const access: Texts = {
  // web/areas/access/card-change.tsx
  'Tu lugar te sigue esperando': 'Your spot is still waiting for you',
  'Cambiar mi tarjeta': 'Change my card',
  'Listo, guardamos tu tarjeta': 'All set: your card has been saved',
  'Listo, tu cargo quedó pagado': 'All set: your charge is paid',
  'Desde hoy se cobra a {0}.': 'From today, {0} will be charged.',
  'Ir a Mis Clases': 'Go to My Classes',
  'Este enlace ya no sirve': 'This link no longer works',
  'No pudimos abrir este enlace': 'We couldn’t open this link',
  'Tal vez se cortó al copiarlo. Ábrelo desde tu correo, o cambia la tarjeta desde Mis Compras.':
    'It may have been cut off when it was copied. Open it from your email, or change the card in My Purchases.',
  'Ver mis compras': 'See my purchases',
  'Intentar de nuevo': 'Try again',
  'confirma el cargo de': 'confirm the charge for',
  'guarda la tarjeta de': 'save the card for',
  '{0} el {1}': '{0} on {1}',
  'Hasta hoy se cobra a {0}.': 'Until now, {0} has been charged.',
  'Tu banco no aceptó el cargo': 'Your bank declined the charge',
  'Guardamos la tarjeta, pero el cargo de {0} no pasó. Prueba con otra.':
    'We saved the card, but the charge of {0} didn’t go through. Try another one.',
  'El cargo de {0} no pasó. Prueba con otra tarjeta.': 'The charge of {0} didn’t go through. Try another card.',
  'Tu banco está procesando el cargo': 'Your bank is processing the charge',
  'Te avisamos por correo cuando pase. No necesitas pagar de nuevo.': 'We’ll email you when it goes through. You don’t need to pay again.',
  'Tu banco quiere que confirmes este cargo': 'Your bank wants you to confirm this charge',
  'Es tu renovación: sin tu confirmación no se cobra y no hay clases nuevas.':
    'It’s your renewal: without your confirmation, nothing is charged and you get no new classes.',
  'Tu renovación está pendiente': 'Your renewal is pending',
  'Al guardar la tarjeta se cobran {0}.': '{0} will be charged when you save the card.',
  'Confirmar {0} con mi banco': 'Confirm {0} with my bank',
  'O paga con otra tarjeta': 'Or pay with another card',
  'Completa los datos de tu tarjeta.': 'Fill in your card details.',
  'Guardar y pagar {0}': 'Save and pay {0}',
  'Guardar tarjeta': 'Save card',
  'La guarda el procesador de pagos; el estudio no ve ni guarda el número.':
    'Your card is stored by the payment processor; the studio never sees or stores the number.',

  // web/areas/access/gift-card.tsx
  'Regala movimiento': 'Give the gift of movement',
  'Tarjetas de regalo': 'Gift cards',
  'No pudimos cargar las tarjetas de regalo. Revisa tu conexión.': 'We couldn’t load the gift cards. Check your connection.',
  'Por ahora no se venden en línea. Pregunta en recepción.': 'They aren’t sold online right now. Ask at the front desk.',
  'Ir al sitio': 'Go to the site',
  'A otra persona': 'To someone else',
  'A mí': 'To me',
  'Regala una tarjeta': 'Give a gift card',
  'Sirve para pagar en {0}, en una o varias compras.': 'Use it to pay for anything at {0}, in one purchase or several.',
  Cantidad: 'Amount',
  'El código se envía': 'Send the code',
  'Su nombre': 'Their name',
  'Su correo': 'Their email',
  Dedicatoria: 'Message',
  'Día de envío': 'Delivery date',
  'Si lo dejas vacío, se envía en cuanto la pagues.': 'Leave it empty to send it as soon as you pay.',
  'Entrar para pagarla': 'Sign in to pay for it',
  'Pagar {0}': 'Pay {0}',

  // web/areas/access/guest-invite.tsx
  'Te guardaron un lugar': 'A spot is being held for you',
  'Ven conmigo': 'Come with me',
  'Este enlace no es válido.': 'This link isn’t valid.',
  'Tal vez se cortó al copiarlo.': 'It may have been cut off when it was copied.',
  'Ver el calendario': 'See the schedule',
  'Este lugar ya no está apartado': 'This spot is no longer being held',
  'Era para {0}. Pídele a {1} otro enlace, o reserva el tuyo.': 'It was for {0}. Ask {1} for another link, or book your own spot.',
  ' Tu lugar es {0}.': ' Your spot is {0}.',
  Alguien: 'Someone',
  '{0} va con {1}': '{0} is coming with {1}',
  '{0}, en {1}.{2}': '{0}, at {1}.{2}',
  '{0} te invita a': '{0} invites you to',
  'Tu lugar está apartado hasta el {0}': 'Your spot is held until {0}',
  '¿Quién viene?': 'Who’s coming?',
  'Tomar mi lugar': 'Take my spot',
  'No pagas nada: el lugar va por cuenta de {0}. No necesitas cuenta.':
    'You pay nothing: {0} is covering the spot. You don’t need an account.',

  // web/areas/access/invitation.tsx
  'Te esperamos en el equipo': 'The team is waiting for you',
  'Invitación al equipo': 'Team invitation',
  'No encontramos esta invitación': 'We couldn’t find this invitation',
  'Tal vez el enlace se cortó al copiarlo. Ábrelo desde tu correo, o pide que te lo envíen otra vez.':
    'The link may have been cut off when it was copied. Open it from your email, or ask for it to be sent again.',
  'No pudimos abrir esta invitación': 'We couldn’t open this invitation',
  'Ya eres del equipo de {0}': 'You’re now on the {0} team',
  'Esta invitación ya se aceptó.': 'This invitation was already accepted.',
  'Ir a la administración': 'Go to administration',
  'Esta invitación ya no sirve': 'This invitation no longer works',
  'Venció o se retiró. Pide que te la envíen otra vez.': 'It expired or was withdrawn. Ask for it to be sent again.',
  'Únete al equipo de {0}': 'Join the {0} team',
  '{0}, te invitaron con la función de {1}.': '{0}, you were invited with the role {1}.',
  'No pudimos cargar tu cuenta. Revisa tu conexión.': 'We couldn’t load your account. Check your connection.',
  'Entraste como {0}. Esta invitación es para {1}.': 'You’re signed in as {0}. This invitation is for {1}.',
  'Entrar con otra cuenta': 'Sign in with another account',
  'Te enviamos el enlace': 'We sent you the link',
  'Enviarme el enlace para confirmar': 'Send me the link to confirm',
  'Aceptar la invitación': 'Accept the invitation',
  'Te enviamos un correo a {0} para elegir tu contraseña. Después vuelve a abrir esta invitación.':
    'We sent an email to {0} so you can choose your password. Then open this invitation again.',
  'No pudimos enviarte el correo. Entra con tu cuenta, o inténtalo más tarde.':
    'We couldn’t send you the email. Sign in with your account, or try later.',
  'Entrar y aceptar': 'Sign in and accept',
  'No tengo contraseña': 'I don’t have a password',
  'Si ya eres cliente, entra con tu correo y contraseña de siempre: conservas tu cuenta.':
    'If you’re already a customer, sign in with your usual email and password: you’ll keep your account.',

  // web/areas/access/layout.tsx
  'Saltar al contenido': 'Skip to content',
  '{0}, inicio': '{0}, home',
  'Tu lugar te está esperando': 'Your spot is waiting for you',

  // web/areas/access/login.tsx
  Entrar: 'Sign in',
  'Entrar Ahora': 'Sign In Now',

  // web/areas/access/mail-action.tsx
  'Correo confirmado': 'Email confirmed',
  'Gracias. Tu dirección quedó confirmada.': 'Thank you. Your address is confirmed.',
  'Correo actualizado': 'Email updated',
  'Desde ahora entras con tu correo nuevo.': 'From now on, sign in with your new email.',
  'Correo recuperado': 'Email restored',
  'Tu cuenta volvió a este correo y cerramos todas las sesiones. Para entrar, elige otra contraseña en «¿Olvidaste tu contraseña?».':
    'Your account uses this email again, and we signed you out everywhere. To sign in, choose a new password under “Forgot your password?”.',
  'Si ya confirmaste tu correo, no hace falta otro enlace.': 'If you already confirmed your email, you don’t need another link.',
  'Si ya cambiaste tu correo, entra con el nuevo. Si no, entra con el de siempre.':
    'If you already changed your email, sign in with the new one. If not, use your usual one.',
  'Si tu correo cambió y no fuiste tú, escríbenos.': 'If your email changed and it wasn’t you, contact us.',
  'Tu cuenta': 'Your account',
  'Revisando tu enlace': 'Checking your link',
  'Este enlace no funciona': 'This link doesn’t work',
  'Pedir otro enlace': 'Request another link',
  'Contraseña nueva': 'New password',
  'Contraseña actualizada': 'Password updated',
  'Cerramos tus otras sesiones. Entra con tu contraseña nueva.': 'We signed you out everywhere else. Sign in with your new password.',
  'Elige tu contraseña': 'Choose your password',
  'Para la cuenta {0}.': 'For the account {0}.',
  'Guardar contraseña': 'Save password',
  'Correo electrónico': 'Email',
  'Este enlace llegó a otro correo. Escribe el mismo en el que lo recibiste.':
    'This link was sent to a different email. Enter the one where you received it.',
  'Confirma que eres tú': 'Confirm it’s you',
  'Confirma tu correo': 'Confirm your email',
  'El mismo en el que recibiste el enlace.': 'The one where you received the link.',
  'Entrar con tu contraseña': 'Sign in with your password',

  // web/areas/access/new-studio.tsx
  'Tu estudio empieza aquí': 'Your studio starts here',
  'Tu estudio nuevo': 'Your new studio',
  'Tu estudio es nuevo': 'Your studio is new',
  'Di quién queda a cargo. Después eliges tu contraseña y te llevamos por los primeros pasos.':
    'Tell us who is in charge. Then you choose your password and we take you through the first steps.',
  'Tu nombre': 'Your name',
  Seguir: 'Continue',

  // web/areas/access/offer.tsx
  'Se liberó tu lugar': 'Your spot opened up',
  'Lista de espera': 'Waitlist',
  'Tal vez se cortó al copiarlo. Ábrelo desde tu mensaje, o responde desde tus listas de espera.':
    'It may have been cut off when it was copied. Open it from your message, or answer from your waitlists.',
  'Ver mis listas de espera': 'See my waitlists',
  'El lugar es tuyo': 'The spot is yours',
  '{0}, {1}. Te esperamos.': '{0}, {1}. See you there.',
  'Ver mis reservaciones': 'See my bookings',
  'Dejaste pasar el lugar': 'You passed on the spot',
  'Gracias por avisar: ya es de quien sigue.': 'Thanks for letting us know: it now goes to the next person.',
  'Pasó a quien sigue en la lista, o la clase ya comenzó.': 'It went to the next person on the list, or the class has already started.',
  '{0}, hay un lugar para ti en': '{0}, there’s a spot for you in',
  'Apartado hasta el {0}': 'Held until {0}',
  'Después pasa a quien sigue en la lista.': 'After that it goes to the next person on the list.',
  'Elige tu lugar, o te damos el primero libre.': 'Choose your spot, or we’ll give you the first one available.',
  'Comprar Clases': 'Buy Classes',
  'Dejarlo pasar': 'Pass on it',
  'Al tomarlo se usa tu crédito como en cualquier reservación.': 'Taking it uses your credit, just like any booking.',

  // web/areas/access/payment-link.tsx
  'Tu compra te espera': 'Your purchase is waiting',
  'Pagar mi compra': 'Pay for my purchase',
  'Tal vez se cortó al copiarlo. Ábrelo desde tu mensaje, o pide otro al estudio.':
    'It may have been cut off when it was copied. Open it from your message, or ask the studio for another.',
  día: 'day',
  días: 'days',
  año: 'year',
  años: 'years',
  'cada {0}': 'every {0}',
  'cada {0} {1}': 'every {0} {1}',
  'Tu tarjeta de regalo paga {0}; falta el resto.': 'Your gift card covers {0}; the rest is still due.',
  'Recibimos tu pago de {0}: {1}. Te enviamos el comprobante por correo.':
    'We received your payment of {0}: {1}. We emailed you the receipt.',
  '{0}, tu compra en {1}': '{0}, your purchase at {1}',
  'Se renueva {0} por {1} con la misma tarjeta, hasta que la canceles.': 'Renews {0} for {1} on the same card until you cancel.',
  'Tu banco está procesando el pago': 'Your bank is processing the payment',
  'No necesitas pagar de nuevo. Esta página se actualiza sola.': 'You don’t need to pay again. This page updates itself.',
  'El último intento no pasó': 'The last attempt didn’t go through',
  'Pagas en la página segura del procesador; el estudio no ve ni guarda tu tarjeta. El enlace sirve hasta el {0}.':
    'You pay on the processor’s secure page; the studio never sees or stores your card. The link works until {0}.',

  // web/areas/access/recovery.tsx
  'Vuelve a tu lugar': 'Get back to your spot',
  'Recuperar contraseña': 'Reset password',
  'Recupera tu contraseña': 'Reset your password',
  'Te enviamos un enlace para elegir otra.': 'We’ll send you a link to choose a new one.',
  Recuperar: 'Send link',
  'Inicia sesión': 'Sign in',

  // web/areas/access/security.tsx
  'Tu cuenta, solo tuya': 'Your account, yours alone',
  Seguridad: 'Security',

  // web/areas/access/signup.tsx
  'Empieza a moverte': 'Start moving',
  Regístrate: 'Sign up',

  // web/areas/access/unsubscribe.tsx
  'Tú decides qué te llega': 'You decide what you receive',
  Promociones: 'Promotions',
  'Tal vez se cortó al copiarlo. Ábrelo desde tu mensaje, o cámbialo en tu cuenta, en Mis Mensajes.':
    'It may have been cut off when it was copied. Open it from your message, or change it in your account, under My Messages.',
  'Ir a Mis Mensajes': 'Go to My Messages',
  '¿Dejar las promociones?': 'Stop receiving promotions?',
  'Ya no te mandaremos promociones': 'You won’t get promotions anymore',
  '{0}, ya no te escribiremos de clases nuevas, paquetes ni eventos de {1}. Lo de tus reservaciones y pagos te sigue llegando.':
    '{0}, we won’t message you about new classes, packages or events at {1} anymore. You’ll still get messages about your bookings and payments.',
  'Lo de tus reservaciones y pagos te sigue llegando.': 'You’ll still get messages about your bookings and payments.',
  'Dejar de recibirlas': 'Stop receiving them',
  'Volver a recibirlas': 'Start receiving them again',
}
