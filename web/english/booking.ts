/** English texts of web/features/booking, by their Spanish text. */
import type { Texts } from './texts.ts'

export const booking: Texts = {
  // web/features/booking/access-code.tsx
  'Código de Acceso': 'Access Code',
  'Código de acceso de tu lugar en {0}': 'Access code for your spot in {0}',
  'Muéstralo en recepción al llegar.': 'Show it at the front desk when you arrive.',

  // web/features/booking/book-again.tsx
  'Otra vez': 'Again',
  'Reservar otra vez': 'Book again',

  // web/features/booking/cancel-dialog.tsx
  'Cancelar Clase': 'Cancel Class',
  'Esta reservación ya no se puede cancelar.': 'This booking can no longer be canceled.',
  'Conservar mi lugar': 'Keep my spot',
  ' También se cancela el lugar de {0}.': ' {0}’s spot will be canceled too.',
  'El estudio te dirá cómo se devuelve tu pago.': 'The studio will tell you how your payment will be refunded.',
  'No tienes nada que pagar.': 'You don’t owe anything.',
  '{0} Acabas de reservar: no cuenta como cancelación.': '{0} You just booked, so it doesn’t count as a cancellation.',

  // web/features/booking/credit-text.ts
  '{0} (vence el {1})': '{0} (expires {1})',
  'Se usarán 2 créditos: 1 de {0} y 1 de {1}. El tuyo sale de': '2 credits will be used: 1 from {0} and 1 from {1}. Yours comes from',
  'Se usará 1 crédito de {0}, y tu invitado entra con {1}. El tuyo sale de':
    '1 credit from {0} will be used, and your guest comes in with {1}. Yours comes from',
  'Reservas con': 'You’re booking with',
  'Se usará 1 crédito de': '1 credit will be used from',
  'Se usarán {0} créditos de': '{0} credits will be used from',
  ' de {0}': ' from {0}',
  'ya no te quedan clases{0}': 'you have no classes left{0}',
  'te {0} {1}{2}{3}': 'you {0} {1}{2} left{3}',
  'Usa un crédito más, y no te queda otro para esta clase.': 'It uses one more credit, and you don’t have another for this class.',
  'Usa un crédito más.': 'It uses one more credit.',
  'No usa un crédito más.': 'It doesn’t use another credit.',
  'Usa 1 crédito de {0}.': 'It uses 1 credit from {0}.',

  // web/features/booking/credits-returned.ts
  'El crédito de tu invitado': 'Your guest’s credit',
  'Tu crédito': 'Your credit',
  'No se gastó ningún crédito: no pierdes nada.': 'No credit was used, so you lose nothing.',
  '{0} regresa a tu paquete.': '{0} goes back to your package.',
  'Tus dos créditos regresan a tu paquete.': 'Both of your credits go back to your package.',
  'Tu paquete ya venció: recibes un crédito de cortesía.': 'Your package has expired, so you’ll get a courtesy credit.',
  'Tu paquete ya venció: recibes dos créditos de cortesía.': 'Your package has expired, so you’ll get two courtesy credits.',
  'Un crédito regresa a tu paquete; por el otro, de un paquete que ya venció, recibes uno de cortesía.':
    'One credit goes back to your package; the other came from a package that has expired, so you’ll get a courtesy credit for it.',

  // web/features/booking/credits-summary.tsx
  'Ver mis créditos': 'See my credits',
  'Hasta el {0}': 'Until {0}',
  'vencen el {0}': 'expire on {0}',

  // web/features/booking/guest-dialog.tsx
  'Llevo un invitado': 'I’m bringing a guest',
  'Ya no quedan lugares para tu invitado en esta clase.': 'There are no spots left for your guest in this class.',
  'Tu invitado usa un crédito más, y no te queda ninguno para esta clase.':
    'Your guest uses one more credit, and you have none left for this class.',
  'Ahora no se puede agregar un invitado a esta clase.': 'You can’t add a guest to this class right now.',
  'Elige el lugar de tu invitado.': 'Choose your guest’s spot.',
  'Agregar invitado': 'Add guest',
  '{0} ya no viene contigo.': '{0} is no longer coming with you.',
  'Sí, quitar': 'Yes, remove',
  'No, que venga': 'No, keep them',
  'Ya pasó el tiempo para cancelar: el crédito de tu invitado no regresa.':
    'It’s too late to cancel: your guest’s credit won’t be returned.',
  '{0} Tu lugar se queda como está.': '{0} Your spot stays as it is.',
  '¿Quieres quitar a {0} de {1}, {2}?': 'Do you want to remove {0} from {1}, {2}?',
  'Mi invitado': 'My guest',
  'Quitar a mi invitado': 'Remove my guest',

  // web/features/booking/guest-invite.tsx
  'Ven conmigo a {0}, {1}. Tu lugar está apartado: ': 'Come with me to {0}, {1}. Your spot is held: ',
  'Enlace copiado.': 'Link copied.',
  'Apartamos un lugar hasta el {0}. Se usa tu crédito cuando tu invitado lo toma.':
    'We’re holding a spot until {0}. Your credit is used when your guest takes it.',
  Compartir: 'Share',
  'No se pudo copiar. Mantén presionado el enlace para copiarlo.': 'It couldn’t be copied. Press and hold the link to copy it.',
  'Copiar enlace': 'Copy link',
  'Ver la invitación': 'See the invitation',

  // web/features/booking/guest-name-field.tsx
  'Nombre de tu invitado': 'Your guest’s name',

  // web/features/booking/move-dialog.tsx
  'Cambiar de clase': 'Switch classes',
  'Ya pasó el tiempo para cambiar de clase sin perder tu crédito.': 'It’s too late to switch classes without losing your credit.',
  'Esta reservación ya no se puede cambiar.': 'This booking can no longer be changed.',
  'Cambiar a {0}': 'Switch to {0}',
  Cambiar: 'Change',
  ' {0} va contigo.': ' {0} goes with you.',
  'Dejas {0}, {1}, y tomas otra con el mismo crédito; si ahí no aplica, con el siguiente que sí.{2}':
    'You give up {0}, {1}, and take another class with the same credit or, if it doesn’t apply there, with the next one that does.{2}',
  'Qué clases mostrar': 'Which classes to show',
  'No pudimos cargar las clases.': 'We couldn’t load the classes.',
  'No hay otra clase con lugar en las próximas dos semanas.': 'There’s no other class with open spots in the next two weeks.',
  'Clases con lugar': 'Classes with open spots',
  ' con {0}': ' with {0}',
  'Elige por mí': 'Choose for me',
  'Elegir otra vez': 'Choose again',

  // web/features/booking/penalty-banner.tsx
  'Puedes reservar de nuevo desde el {0}': 'You can book again from {0}',
  'Tienes una penalización: {0}. Los lugares que ya tienes siguen siendo tuyos.':
    'You have a penalty: {0}. You keep the spots you already have.',

  // web/features/booking/penalty-dialog.tsx
  'Tienes una penalización': 'You have a penalty',
  'Se aplica al faltar a una clase reservada con un paquete ilimitado.':
    'It applies when you miss a class booked with an unlimited package.',
  'Se aplica al faltar a {0} clases seguidas con un paquete ilimitado.':
    'It applies when you miss {0} classes in a row with an unlimited package.',
  'Desde entonces puedes reservar otra vez.': 'After that, you can book again.',

  // web/features/booking/rate-dialog.tsx
  'Gracias por calificar tu clase.': 'Thank you for rating your class.',
  'Calificar Clase': 'Rate Class',
  Enviar: 'Send',
  'La clase': 'The class',
  Comentario: 'Comment',

  // web/features/booking/repeat-dialog.tsx
  'Repetir cada semana': 'Repeat every week',
  'Reservar {0} semanas': 'Book {0} weeks',
  '; si tu lugar está ocupado, te damos otro': '; if your spot is taken, we’ll give you another',
  '{0}, {1}, desde el {2}. Cada semana usa un crédito{3}.': '{0}, {1}, starting {2}. Each week uses one credit{3}.',
  'Esta semana cuenta como la primera.': 'This week counts as the first.',

  // web/features/booking/repeat-report.tsx
  'cada {0} a las {1}': 'every {0} at {1}',
  Durante: 'For',
  '{0} semanas': '{0} weeks',
  'No reservamos ninguna clase nueva.': 'We didn’t book any new classes.',
  'Reservamos 1 clase.': 'We booked 1 class.',
  'Reservamos {0} clases.': 'We booked {0} classes.',
  'Una semana no se pudo:': 'We couldn’t book one week:',
  '{0} semanas no se pudieron:': 'We couldn’t book {0} weeks:',
  'Semana por semana': 'Week by week',
  Reservada: 'Booked',
  'Ya era tuya': 'Already yours',
  'Esa semana no hay clase': 'There’s no class that week',

  // web/features/booking/required-documents.tsx
  Aceptar: 'Accept',
  'Hay {0} documentos que debes aceptar para continuar.': 'There are {0} documents you need to accept to continue.',
  'Léelo y acéptalo para continuar.': 'Read it and accept it to continue.',

  // web/features/booking/reservation-dialogs.tsx
  'No pudimos abrir esta reservación': 'We couldn’t open this booking',
  'Mi lugar': 'My spot',

  // web/features/booking/reservation-sheet.tsx
  Dónde: 'Where',
  'Pagado con': 'Paid with',
  'El estudio canceló esta clase y tu crédito regresó.': 'The studio canceled this class and your credit was returned.',
  'Qué puedes hacer': 'What you can do',
  'Calificar clase': 'Rate class',
  'Código de acceso': 'Access code',
  'Ahora no se puede: ver por qué': 'Not possible now: see why',
  'Llevar un invitado': 'Bring a guest',
  'Un enlace con el que toma su lugar': 'A link they use to take their spot',
  'Cambiar su nombre o quitarlo': 'Change their name or remove them',
  'Cambiar de lugar': 'Change spot',
  'En un paso, sin perder tu crédito': 'In one step, without losing your credit',
  'Ya pasó el tiempo para cambiarla': 'It’s too late to change it',
  'Agregar a mi calendario': 'Add to my calendar',
  'Cancelar mi lugar': 'Cancel my spot',

  // web/features/booking/reservation-status.tsx
  Próxima: 'Upcoming',
  'Pago en Efectivo Incompleto': 'Cash Payment Incomplete',
  'por el estudio': 'by the studio',
  'por recepción': 'by the front desk',
  'por falta de pago': 'for nonpayment',
  'la deshiciste': 'you undid it',
  'cambiaste de clase': 'you switched classes',

  // web/features/booking/reservation-text.ts
  '{0} con {1}': '{0} with {1}',

  // web/features/booking/reserve-dialog.tsx
  'Cargando la clase': 'Loading the class',
  'Ver mi lugar': 'See my spot',

  // web/features/booking/reserve-form.tsx
  'Elige tu lugar': 'Choose your spot',
  'Reserva tu lugar': 'Book your spot',
  'Ver mi orden': 'See my order',
  'Falta un paso: aparta tu lugar. {0}': 'One step left: book your spot. {0}',
  'Apartar {0} lugares': 'Book {0} spots',
  'Reservar {0} lugares': 'Book {0} spots',
  'Elige tu lugar; buscamos uno junto para tu invitado.': 'Choose your spot; we’ll look for one beside it for your guest.',
  'Toca un lugar para cambiar el tuyo.': 'Tap a spot to change yours.',
  'Tu invitado va en {0}. Toca otro lugar para cambiarlo.': 'Your guest is in {0}. Tap another spot to change it.',
  'Ahora elige el lugar de tu invitado.': 'Now choose your guest’s spot.',
  '{0}, al frente': '{0}, at the front',
  'Mover a mi invitado': 'Move my guest',
  'Mover mi lugar': 'Move my spot',
  'La misma clase, {0}, mientras haya lugar y créditos.': 'The same class, {0}, as long as there are spots and credits.',
  'Al terminar te decimos qué semanas quedaron.': 'When you’re done, we’ll tell you which weeks were booked.',
  'Vence el {0}': 'Expires on {0}',
  'Empieza a contar con tu primera clase': 'Starts with your first class',
  'solo {0}': 'only {0}',
  'Puedes cancelar sin perder tu crédito hasta el {0}.': 'You can cancel without losing your credit until {0}.',

  // web/features/booking/reserve-refusals.tsx
  'No pudimos abrir esta clase': 'We couldn’t open this class',
  'Tus créditos no aplican aquí': 'Your credits don’t apply here',
  'Te falta un paquete': 'You need a package',
  'Agotaste tus créditos': 'You’ve used up your credits',
  'Comprar y reservar': 'Buy and book',
  'Ver para qué sirven mis créditos': 'See what my credits are good for',
  Comprar: 'Buy',
  'Esta clase se compra por separado.': 'This class is sold separately.',
  'No se puede reservar': 'Can’t be booked',
  'Anotarme en la lista de espera': 'Join the waitlist',
  'Esta clase ya no se puede reservar.': 'This class can no longer be booked.',
  ' Estás en su lista de espera: te avisamos.': ' You’re on its waitlist: we’ll let you know.',

  // web/features/booking/seat-dialog.tsx
  'Elige otro lugar del mapa.': 'Choose another spot on the map.',
  'Quién cambia de lugar': 'Who changes spots',

  // web/features/booking/undo-bar.tsx
  '{0} clases de {1}': '{0} {1} classes',
  'Última reservación': 'Latest booking',
  'Reservaste {0}.': 'You booked {0}.',
  'Puedes deshacerlo hasta las {0}.': 'You can undo it until {0}.',
  Deshacer: 'Undo',
  Ocultar: 'Hide',

  // web/features/booking/use-reserve.ts
  'El lugar que habías elegido ya no está libre. Elige otro.': 'The spot you had chosen is no longer free. Choose another.',
  'El lugar de tu invitado ya no está libre. Elige otro.': 'Your guest’s spot is no longer free. Choose another.',
  'Elige un lugar del mapa.': 'Choose a spot on the map.',
  'Elige también el lugar de tu invitado.': 'Choose your guest’s spot too.',

  // web/features/booking/waitlist-dialogs.tsx
  '{0} minutos': '{0} minutes',
  '1 hora': '1 hour',
  '{0} horas': '{0} hours',
  'Tienes {0} para tomarlo; si no respondes, pasa a quien sigue.':
    'You have {0} to take it; if you don’t answer, it goes to the next person.',
  'Cuando se libera un lugar avisamos por WhatsApp, al mismo tiempo, a quienes están en espera.':
    'When a spot opens up we notify everyone on the waitlist by WhatsApp at the same time.',
  'El lugar es de quien reserve primero. Estar en la lista no usa tu crédito.':
    'The spot goes to whoever books first. Being on the list doesn’t use your credit.',
  'Cuando se libera un lugar lo apartamos para quien sigue en la lista y le avisamos.':
    'When a spot opens up we hold it for the next person on the list and let them know.',
  'Cuando se libera un lugar, quien sigue en la lista lo toma sin hacer nada, si así lo eligió, y usa su crédito.':
    'When a spot opens up, the next person on the list gets it automatically, if they chose that, and it uses their credit.',
  'A los demás les preguntamos antes. {0}': 'We ask everyone else first. {0}',
  Anotarme: 'Join',
  '{0}, {1}. Ya no hay lugares.': '{0}, {1}. There are no spots left.',
  'Si se libera uno, es tuyo y usa tu crédito. Si no, te preguntamos.':
    'If one opens up, it’s yours and uses your credit. Otherwise we ask you.',
  'Sí, quitarme': 'Yes, leave',
  'No, seguir en la lista': 'No, stay on the list',
  'El lugar que te apartamos pasa a quien sigue.': 'The spot we’re holding for you goes to the next person.',
  '¿Quieres salir de la lista de espera de {0}, {1}?': 'Do you want to leave the waitlist for {0}, {1}?',

  // web/features/booking/wallet-button.tsx
  'Tu próxima clase: {0}, {1}': 'Your next class: {0}, {1}',
  'Agregar a Apple Wallet': 'Add to Apple Wallet',
  'Agregar a la Billetera de Google': 'Add to Google Wallet',
}
