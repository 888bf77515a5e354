/**
 * Where the server writes sentences that customers read. The check of English texts compares their strings with `contract/english`; a file
 * that makes messages and is in neither list is reported.
 */

/** Files whose sentences reach customers: each needs English in `contract/english`. */
export const TO_CUSTOMERS: readonly string[] = [
  'server/adapters/identity/emails.ts',
  'server/adapters/mail/email-template.ts',
  'server/adapters/payments/card-label.ts',
  'server/adapters/payments/failures.ts',
  'server/adapters/wallet-passes/apple.ts',
  'server/adapters/wallet-passes/google.ts',
  'server/modules/bookings/calendar.ts',
  'server/modules/bookings/notifications/emails.ts',
  'server/modules/bookings/notifications/notifications.ts',
  'server/modules/bookings/rules.ts',
  'server/modules/bookings/studio/penalties.ts',
  'server/modules/content/form-rules.ts',
  'server/modules/credits/ending.ts',
  'server/modules/customers/invite.ts',
  'server/modules/fiscal/notifications.ts',
  'server/modules/fiscal/rules.ts',
  'server/modules/messages/delivery.ts',
  'server/modules/messages/messages.ts',
  'server/modules/messages/own-texts.ts',
  'server/modules/people/addresses.ts',
  'server/modules/sales/notifications/emails.ts',
  'server/modules/sales/notifications/notifications.ts',
  'server/modules/sales/notifications/sale-receipts.ts',
  'server/modules/sales/views/purchase-view.ts',
  'server/modules/sales/views/receipt-pdf.ts',
  'server/modules/sales/views/receipts.ts',
  'server/modules/videos/emails.ts',
]

/** Files whose messages only staff read, whose words the studio wrote, or whose words are in one of the files above. */
export const NOT_TO_CUSTOMERS: ReadonlySet<string> = new Set([
  'server/adapters/identity/security-alerts.ts',
  'server/modules/broadcasts/broadcasts.ts',
  'server/modules/imports/studio-export.ts',
  'server/modules/messages/language.ts',
  'server/modules/messages/tables.ts',
  'server/modules/messages/template-rules.ts',
  'server/modules/messages/templates.ts',
  'server/modules/payroll/approved-email.ts',
  'server/modules/planning/substitution-messages.ts',
  'server/modules/reports/weekly-email.ts',
  'server/modules/team/invites.ts',
  'server/modules/today/task-push.ts',
  'server/modules/videos/videos.ts',
])

/** What makes a message: a file that has one of these is in one of the lists. */
export const MAKES_MESSAGES = /\b(?:OutgoingMessage|MessageTexts|enqueueMessages|renderEmail)\b/

/** Strings of those files that customers do not read, or that are the same in English. */
export const notForCustomers: ReadonlySet<string> = new Set([
  // Names and codes.
  'Visa',
  'Mastercard',
  'American Express',
  'Apple Pay',
  'Google Pay',
  'Link',
  'Coach',
  'Estudio',
  'Reservaciones',
  'PRIVATE KEY',
  'RSA PRIVATE KEY',
  'ENCRYPTED PRIVATE KEY',
  'PKBarcodeFormatQR',
  'RFC {0}',
  '{0} MXN',
  '-{0} MXN',
  'private, max-age={0}',
  'attachment; filename="clase.ics"',
  // Of invoices as the SAT reads them.
  'PUBLICO EN GENERAL',
  'Clases',
  'Venta',
  'Devolución de',
  'Contracargo de',
  'Facturado aparte:',
  'Tasa',
  'Exento',
  // Why something is not sent, for the log.
  'the place was given up',
  'the places are gone',
  'it is not so any more',
  'the place is not held any more',
  'the penalty ended',
  'they have an account',
  'too late',
  'the subscription is not charged any more',
  'it was paid or is over',
  'The stored text is not readable.',
  'No telephone is known.',
  'No address is known.',
  'No device is known.',
  "A calendar's address was not stored.",
  'A penalty was lost.',
  'A penalty was not stored.',
  'The refund did not arrive.',
  // What is wrong with the keys of a wallet, for the owner.
  'No es un certificado en formato PEM.',
  'No es un certificado de Apple para pases (Pass Type ID).',
  'Está protegida con contraseña: expórtala sin ella.',
  'No es una llave privada RSA en formato PEM.',
  'No es la llave de este certificado.',
  'No es el certificado que firmó el de tus pases.',
  'Son solo números, como 3388000000012345678.',
  'No es el archivo JSON de una cuenta de servicio con su llave.',
  // To coaches.
  'Ya avisamos a quienes tenían lugar.',
  // Values of WhatsApp templates.
  'el {0}',
  '{0} de {1}',
  '{0} clases',
  '1 clase',
  'clases ilimitadas',
])
