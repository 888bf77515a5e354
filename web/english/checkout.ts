/** English texts of web/features/checkout, by their Spanish text. */
import type { Texts } from './texts.ts'

export const checkout: Texts = {
  // web/features/checkout/card-dialogs.tsx
  'La guarda el procesador de pagos; el estudio no ve ni guarda el número. No se hace ningún cargo.':
    'Your card is stored by the payment processor; the studio never sees or stores the number. Nothing is charged.',
  '{0} Una suscripción activa se cobra a esta tarjeta. Cambia su tarjeta o cancélala antes de eliminarla.':
    '{0} This card pays for an active subscription. Change the subscription’s card or cancel it before deleting this one.',
  'Sí, eliminar': 'Yes, delete',
  'No, conservarla': 'No, keep it',
  '¿Quieres eliminar tu {0}? Para usarla de nuevo tendrás que escribir sus datos.':
    'Do you want to delete your {0}? To use it again you’ll have to enter its details.',

  // web/features/checkout/card-entry.tsx
  'No pudimos cargar los datos de la tarjeta.': 'We couldn’t load the card details.',
  'Para pagar con tarjeta, abre el estudio en {0}.': 'To pay by card, open the studio at {0}.',

  // web/features/checkout/card-fields.tsx
  'Datos de la tarjeta': 'Card details',
  'Tu banco no autorizó el pago.': 'Your bank didn’t authorize the payment.',
  'Cerraste la confirmación de tu banco.': 'You closed your bank’s confirmation.',
  'Confirma con tu banco': 'Confirm with your bank',
  'Confirmación de tu banco': 'Confirmation from your bank',

  // web/features/checkout/checkout-package.tsx
  'Estás Comprando': 'You’re Buying',
  'Precio anterior: ': 'Previous price: ',
  Oferta: 'Offer',
  'Descuento {0}': 'Discount {0}',
  'Tarjeta de regalo •••• {0}': 'Gift card •••• {0}',
  'Al terminar tu prueba': 'When your trial ends',
  'Total hoy': 'Total today',
  'Desde el segundo {0} pagas {1}. El descuento aplica solo al primer cobro.':
    'From the second {0} you pay {1}. The discount only applies to the first charge.',
  'El descuento aplica a todos los cobros: pagas {0} en cada uno.': 'The discount applies to every charge: you pay {0} each time.',

  // web/features/checkout/checkout-payment.tsx
  'Estamos procesando tu pago.': 'We’re processing your payment.',
  'Forma de Pago': 'Payment Method',
  'Estamos confirmando tu pago anterior.': 'We’re confirming your previous payment.',
  'Acepta los documentos para continuar.': 'Accept the documents to continue.',
  ' Si hay lugar, te lo guardamos {0} min desde que empiezas a pagar.':
    ' If there’s a spot, we’ll hold it for you for {0} min once you start paying.',
  'Después de pagar apartas tu lugar: {0}, {1}.{2}': 'After you pay, you’ll book your spot: {0}, {1}.{2}',
  'Esto es una suscripción': 'This is a subscription',
  'Ya usaste tu prueba gratis: esta suscripción se cobra desde el primer día. ':
    'You’ve already used your free trial, so this subscription starts with a payment. ',
  'Forma de pago': 'Payment method',
  'Por ahora no se puede pagar este paquete en línea. Comunícate con nosotros.':
    'This package can’t be paid for online right now. Contact us.',
  'Pagar con la tarjeta de regalo': 'Pay with the gift card',
  'Obtener Oferta': 'Get Offer',
  'El pago lo procesa un proveedor certificado. El estudio no ve ni guarda el número de tu tarjeta.':
    'The payment is processed by a certified provider. The studio never sees or stores your card number.',
  'Comprar otro igual': 'Buy another one',
  'Completar Inscripción': 'Complete Enrollment',
  'Ir a Pagar': 'Go to Payment',

  // web/features/checkout/discount-form.tsx
  'Código de Descuento': 'Discount Code',
  'Quitar el código {0}': 'Remove the code {0}',
  Quitar: 'Remove',
  ' en el primer cobro': ' on the first charge',
  'Listo, te ahorras {0}{1}.': 'Done: you save {0}{1}.',
  Aplicar: 'Apply',

  // web/features/checkout/express-checkout.tsx
  'Pago con un toque': 'One-tap payment',
  'Apple Pay, Google Pay o Link: {0}': 'Apple Pay, Google Pay or Link: {0}',
  'o elige cómo pagar': 'or choose how to pay',

  // web/features/checkout/gift-card-form.tsx
  'Tiene {0} apartados en otra compra que espera su pago.': '{0} of it is on hold for another purchase that is awaiting payment.',
  'A esta tarjeta ya no le queda saldo.': 'This gift card has no balance left.',
  'Termina en {0}': 'Ends in {0}',
  'Quitar la tarjeta de regalo': 'Remove the gift card',
  'Le quedan {0} para otra compra.': 'It has {0} left for another purchase.',
  'Se usa todo su saldo.': 'Its whole balance is used.',
  'Paga {0}. {1}': 'Pays {0}. {1}',
  'Código de la tarjeta de regalo': 'Gift card code',
  Usar: 'Use',

  // web/features/checkout/open-purchase.tsx
  'Ya tienes una compra en proceso': 'You already have a purchase in progress',
  'Estamos confirmando el pago de este paquete. No necesitas pagar de nuevo.':
    'We’re confirming the payment for this package. You don’t need to pay again.',
  'Tu orden espera que la pagues{0}. Si la pagas aquí de otra forma, esa referencia se cancela: solo se te cobra una vez.':
    'Your order is waiting for your payment{0}. If you pay for it here another way, that reference is canceled: you’re only charged once.',
  'Dejaste un pago a medias{0}. Si pagas aquí, sigues con esa misma orden: solo se te cobra una vez.':
    'You left a payment unfinished{0}. If you pay here, you continue with that same order: you’re only charged once.',

  // web/features/checkout/overdue-charges.tsx
  'Tu banco quiere que confirmes el cargo de {0}': 'Your bank wants you to confirm the charge of {0}',
  '{0}{1}. Mientras tanto no hay clases nuevas de esta suscripción.': '{0}{1}. Until then there are no new classes from this subscription.',
  'Confirmar el cargo de {0}': 'Confirm the charge of {0}',
  'Confirmar el cargo': 'Confirm the charge',

  // web/features/checkout/owed-text.ts
  'Te debemos {0}: no se pudo devolver por donde pagaste y te lo damos por otro medio.':
    'We owe you {0}: it couldn’t be refunded the way you paid, so we’ll get it to you another way.',

  // web/features/checkout/package-advice-button.tsx
  '¿Cuál me conviene?': 'Which one is right for me?',

  // web/features/checkout/package-advice-dialog.tsx
  '¿Cuántas veces por semana quieres venir?': 'How many times a week do you want to come?',
  '¿Vienes con alguien?': 'Are you coming with someone?',
  'Vengo por mi cuenta': 'I’m coming on my own',
  'Con un invitado': 'With a guest',
  '¿Quieres que se renueve sola?': 'Should it renew automatically?',
  'Me da igual': 'Either is fine',
  'Cada clase te sale en {0}, unos {1} al mes. Contamos las clases que vencerían sin usarse, y ningún otro paquete sin límite de horario o lugar sale más barato así.':
    'Each class costs you {0}, about {1} a month. We counted the classes that would expire unused, and no other package without limits of hours or places works out cheaper.',
  'Con límite: {0}, {1}': 'With limits: {0}, {1}',
  'Cada clase te sale en {0}. {1}. {2}': 'Each class costs you {0}. {1}. {2}',
  'Con esas respuestas no hay un paquete que alcance. Cambia alguna, o escríbenos.':
    'No package covers those answers. Change one, or contact us.',

  // web/features/checkout/package-card.tsx
  'La más elegida': 'Most popular',
  'Quiero probar': 'I want to try',
  'Una vez por persona': 'Once per person',
  'Probar por {0}': 'Try it for {0}',
  'Este paquete se ha agotado.': 'This package is sold out.',

  // web/features/checkout/package-grid.tsx
  Paquetes: 'Packages',
  '¿No sabes cuál?': 'Not sure which one?',
  'Cuéntanos cuántas veces por semana quieres venir y te decimos cuál te conviene.':
    'Tell us how many times a week you want to come and we’ll tell you which one is right for you.',
  Escríbenos: 'Contact us',

  // web/features/checkout/package-text.ts
  '{0} después de tu primera clase': '{0} after your first class',
  'en {0}': 'in {0}',
  'pago único': 'one-time payment',
  'vence {0}': 'expires {0}',
  '{0} por clase': '{0} per class',
  '{0} {1} de prueba, después {2}': '{0} {1} free, then {2}',
  'se renueva {0}': 'renews {0}',
  'sin límite': 'unlimited',
  'al mes': 'a month',
  'Evento especial': 'Special event',
  '$0.00 hoy': '$0.00 today',
  'luego {0}': 'then {0}',

  // web/features/checkout/packages-title.ts
  'Todas las opciones': 'All options',

  // web/features/checkout/payment-choice.tsx
  'Visa, Mastercard y American Express': 'Visa, Mastercard and American Express',
  '{0} terminada en {1}': '{0} ending in {1}',

  // web/features/checkout/payment-text.ts
  'Otra tarjeta': 'Another card',
  'Tarjeta de crédito o débito': 'Credit or debit card',
  'Pagas en la página segura del procesador y regresas aquí.': 'You pay on the processor’s secure page and come back here.',
  'Te damos una referencia y pagas en efectivo en la tienda.': 'We give you a reference and you pay cash at the store.',
  'Te damos una CLABE y pagas desde la app de tu banco.': 'We give you a CLABE and you pay from your bank’s app.',
  'Pagas en recepción; apartamos tu compra {0} {1}.': 'You pay at the front desk; we hold your purchase for {0} {1}.',
  'Apartar por {0}': 'Hold for {0}',
  'Generar referencia por {0}': 'Get reference for {0}',
  'Generar CLABE por {0}': 'Get CLABE for {0}',
  'Continuar al pago': 'Continue to payment',
  'Continuar a PayPal': 'Continue to PayPal',
  'Empezar mi prueba': 'Start my trial',
  'cinco días': 'five days',
  'un día': 'one day',
  '{0} días': '{0} days',
  ' el {0}': ' on {0}',
  'Tu siguiente cargo es de {0}': 'Your next charge is {0}',
  'Tu primer cargo es de {0}': 'Your first charge is {0}',
  'Se cobra {0}. {1}{2}. Te avisamos {3} antes y puedes cancelar cuando quieras desde Mis Compras.':
    'You’re charged {0}. {1}{2}. We’ll notify you {3} before, and you can cancel anytime in My Purchases.',

  // web/features/checkout/receipt-button.tsx
  'Descargar recibo de {0}': 'Download receipt for {0}',
  'Descargar recibo': 'Download receipt',

  // web/features/checkout/stripe-fields.tsx
  'Número de tarjeta': 'Card number',
  'Nombre en la tarjeta': 'Name on card',

  // web/features/checkout/subscription-card-dialog.tsx
  'Guardamos la tarjeta. Falta que confirmes el cargo con tu banco.':
    'We saved the card. You still need to confirm the charge with your bank.',
  'El cobro pendiente todavía no pasa con esa tarjeta. Prueba con otra.':
    'The pending charge still isn’t going through with that card. Try another one.',
  'Dejarla como está': 'Leave it as it is',
  'Agrega una tarjeta para cambiarla.': 'Add a card to change it.',
  'Cambiar y pagar': 'Change and pay',
  '{0}: hoy se cobra a tu {1}.': '{0}: currently charged to your {1}.',
  'No tienes tarjetas guardadas.': 'You have no saved cards.',
  'Agregar otra tarjeta': 'Add another card',

  // web/features/checkout/use-payment-option.tsx
  'Guardar esta tarjeta para otra compra': 'Save this card for another purchase',

  // web/features/checkout/voucher-box.tsx
  'Paga en recepción': 'Pay at the front desk',
  'la referencia': 'the reference',
  'Paga en cualquier OXXO': 'Pay at any OXXO',
  'Transfiere por SPEI': 'Transfer by SPEI',
  'la CLABE': 'the CLABE',
  'Tienes hasta el {0}': 'You have until {0}',
  Referencia: 'Reference',
  'Concepto o referencia: {0}': 'Payment concept or reference: {0}',
  'Falta transferir {0}': '{0} left to transfer',
  'Recibimos una parte de los {0}. Transfiere el resto a la misma CLABE; si no llega a tiempo, te devolvemos lo que enviaste.':
    'We received part of the {0}. Transfer the rest to the same CLABE; if it doesn’t arrive in time, we’ll return what you sent.',
  'Total: {0}': 'Total: {0}',
  'Ver el comprobante para pagar': 'See the voucher to pay',

  // web/features/checkout/wallet-button.tsx
  'No pudimos cargar PayPal.': 'We couldn’t load PayPal.',
}
