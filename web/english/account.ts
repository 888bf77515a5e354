/** English texts of web/features/account, by their Spanish text. */
import type { Texts } from './texts.ts'

export const account: Texts = {
  // web/features/account/account-bar.tsx
  'Abrir menú': 'Open menu',
  'Menú de tu cuenta': 'Your account menu',
  Principal: 'Main',
  'Cuenta de {0}': '{0}’s account',
  Administrar: 'Administration',
  Salir: 'Sign out',
  Menú: 'Menu',
  'Mi Cuenta': 'My Account',
  'Mensajes, {0} sin leer': 'Messages, {0} unread',

  // web/features/account/account-pages.tsx
  'Mi cuenta': 'My account',

  // web/features/account/account-tabs.tsx
  Secciones: 'Sections',
  Yo: 'Me',

  // web/features/account/address-card.tsx
  Calle: 'Street',
  'Número exterior': 'Street number',
  'Número interior': 'Unit number',
  Colonia: 'Neighborhood',
  'Código postal': 'Postal code',
  Ciudad: 'City',
  País: 'Country',
  'Dirección de Facturación': 'Billing Address',
  Editar: 'Edit',
  Agregar: 'Add',
  'Aún no tienes una dirección. Sirve para tus facturas.': 'You don’t have an address yet. It’s used for your invoices.',
  'interior {0}': 'unit {0}',
  México: 'Mexico',

  // web/features/account/document-dialog.tsx
  Cerrar: 'Close',

  // web/features/account/dynamic-form.tsx
  'Archivo guardado': 'File saved',
  'Elige una opción': 'Choose an option',

  // web/features/account/entering.tsx
  Accediendo: 'Signing in',
  'Confirmando tu pago': 'Confirming your payment',
  'Haz click aquí': 'Click here',
  '¿Está tardando? {0}': 'Taking too long? {0}',

  // web/features/account/fiscal-receiver.tsx
  'Escribe el RFC completo.': 'Enter the complete RFC.',
  'Escribe el nombre o la razón social.': 'Enter the name or company name.',
  'Elige el régimen fiscal.': 'Choose the tax regime.',
  'Elige el uso de la factura.': 'Choose the use of the invoice.',
  'Revísalo: su último carácter no es el que le toca. Si está bien, continúa.':
    'Check it: the last character isn’t the expected one. If it’s right, continue.',
  'Nombre o razón social': 'Name or company name',
  'Como está en la constancia de situación fiscal, sin el tipo de sociedad.':
    'As it appears on your tax status certificate (constancia de situación fiscal), without the type of company.',
  'Código postal fiscal': 'Tax postal code',
  'Régimen fiscal': 'Tax regime',
  'Primero escribe el RFC.': 'Enter the RFC first.',
  Elige: 'Choose',
  'Uso de la factura': 'Use of the invoice',

  // web/features/account/form-card.tsx
  Cuestionario: 'Questionnaire',
  'No pudimos cargar estas preguntas.': 'We couldn’t load these questions.',

  // web/features/account/google-sign-in.tsx
  '{0}Continuar con Google': '{0}Continue with Google',

  // web/features/account/invoice-dialog.tsx
  'El estudio todavía no factura en línea. Pregunta en recepción.': 'The studio doesn’t issue invoices online yet. Ask at the front desk.',
  'El SAT todavía no contesta. Tu factura llega aquí en unos minutos.':
    'The SAT hasn’t answered yet. Your invoice will arrive here in a few minutes.',
  'Tu factura está timbrada.': 'Your invoice has been issued.',
  'Se pidió cancelar esta factura: acéptalo o recházalo en tu buzón tributario.':
    'Cancellation of this invoice was requested: accept or reject it in your tax mailbox (buzón tributario).',
  'Esta factura está cancelada.': 'This invoice is canceled.',
  'El SAT no la aceptó.': 'The SAT didn’t accept it.',
  'Factura {0}-{1}': 'Invoice {0}-{1}',
  'Es de prueba: no tiene validez fiscal.': 'This is a test invoice: it isn’t valid for tax purposes.',
  '{0}, RFC {1}. Total {2}.': '{0}, RFC {1}. Total {2}.',
  'Descargar PDF': 'Download PDF',
  'Descargar XML': 'Download XML',
  'Facturar {0}': 'Invoice {0}',
  'Modo de prueba: los RFC que existen': 'Test mode: the RFCs that exist',

  // web/features/account/login-dialog.tsx
  'Entra para reservar': 'Sign in to book',
  'Crea tu cuenta para reservar': 'Create your account to book',

  // web/features/account/login-form.tsx
  Contraseña: 'Password',
  'Crea tu cuenta': 'Create your account',
  '¿Olvidaste tu contraseña?': 'Forgot your password?',

  // web/features/account/message-preferences.tsx
  'Por dónde te avisamos': 'How we reach you',
  'No pudimos cargar tus preferencias. {0}': 'We couldn’t load your preferences. {0}',
  'Confirmaciones, recordatorios y cambios de tus clases.': 'Confirmations, reminders and changes to your classes.',
  WhatsApp: 'WhatsApp',
  'Todavía no nos has dicho si podemos escribirte.': 'You haven’t told us yet whether we may message you.',
  'Al {0}. ': 'To {0}. ',
  'No tenemos tu teléfono. ': 'We don’t have your phone number. ',
  'Cambiar número': 'Change number',
  'Agregarlo en Mi Información': 'Add it in My Information',
  'Antes de tu clase y antes de que venzan tus créditos.': 'Before your class and before your credits expire.',
  'Recordatorios por correo': 'Reminders by email',
  'Los recibes mientras no digas otra cosa.': 'You get them unless you turn them off.',
  'Clases nuevas, paquetes y eventos.': 'New classes, packages and events.',
  'Promociones y novedades': 'Promotions and news',
  'No las recibes mientras no las aceptes.': 'You don’t get them unless you opt in.',
  'Las confirmaciones, las cancelaciones y los cambios de tus clases siempre llegan a tu correo y a esta página. De noche no te escribimos por WhatsApp ni a este dispositivo, salvo que tu clase esté por empezar.':
    'Confirmations, cancellations and changes to your classes always reach your email and this page. We don’t message you on WhatsApp or this device at night, unless your class is about to start.',
  'Aceptaste el {0}.': 'You opted in on {0}.',
  'Lo quitaste el {0}.': 'You opted out on {0}.',

  // web/features/account/new-password.tsx
  'Confirma tu contraseña': 'Confirm your password',
  'Mostrar la confirmación': 'Show the confirmation',
  'Al menos {0} caracteres.': 'At least {0} characters.',
  'Si eres del equipo, al menos {0}.': 'If you are staff, at least {0}.',
  ', cumplido': ', met',
  ', falta': ', not met',

  // web/features/account/no-customer.tsx
  'Terminar mi registro': 'Finish signing up',
  'Entraste con una cuenta del equipo de {0}. Para reservar y comprar, regístrate también como cliente, con el mismo correo y la misma contraseña.':
    'You signed in with an account of the {0} team. To book and buy, sign up as a customer too, with the same email and password.',
  'Registrarme como cliente': 'Sign up as a customer',

  // web/features/account/personal-card.tsx
  'Información personal': 'Personal information',
  Teléfono: 'Phone',
  'Fecha de nacimiento': 'Date of birth',
  Instagram: 'Instagram',
  'Cómo nos conociste': 'How you heard about us',
  Identificación: 'ID',
  Foto: 'Photo',
  Apellidos: 'Last name',
  Nombre: 'First name',
  'Imagen o PDF. Solo la ven tú y el estudio.': 'Image or PDF. Only you and the studio see it.',

  // web/features/account/profile-card.tsx
  Guardar: 'Save',

  // web/features/account/profile-prompt.tsx
  'Falta tu información': 'Some information is missing',
  'Ahora no': 'Not now',
  'Completar Información': 'Complete Information',
  'Falta: {0}.': 'Missing: {0}.',

  // web/features/account/prove-identity.tsx
  Continuar: 'Continue',

  // web/features/account/push-invite.tsx
  'Listo: te avisamos en este dispositivo.': 'All set: we’ll notify you on this device.',
  '¿Te avisamos en este dispositivo?': 'Want notifications on this device?',
  'Sí, avísame': 'Yes, notify me',
  'Así sabes en cuanto se libera un lugar, sin estar pendiente del correo.':
    'You’ll know as soon as a spot opens up, without checking your email.',
  'Así sabes si tu clase cambia o se cancela, y te la recordamos antes.':
    'You’ll know if your class changes or is canceled, and we’ll remind you beforehand.',
  'Lo cambias cuando quieras en {0}. De noche no te escribimos, salvo que tu clase esté por empezar.':
    'You can change it anytime in {0}. We don’t message you at night, unless your class is about to start.',

  // web/features/account/push-preference.tsx
  'Este dispositivo las recibe.': 'This device receives them.',
  'Se activa en cada dispositivo.': 'You turn this on for each device.',
  'Las bloqueaste en tu navegador: permítelas en sus ajustes para este sitio.':
    'You blocked them in your browser: allow them in its settings for this site.',
  'En iPhone y iPad: toca Compartir, “Agregar a inicio”, y actívalas desde ahí.':
    'On iPhone and iPad: tap Share, “Add to Home Screen”, and turn them on from there.',
  'Este navegador no las recibe.': 'This browser can’t receive them.',
  'Lugares que se liberan, cambios y recordatorios, en la pantalla.': 'Spots that open up, changes and reminders, on your screen.',
  'Notificaciones en este dispositivo': 'Notifications on this device',

  // web/features/account/second-factor-card.tsx
  'Desactivaste la verificación en dos pasos.': 'You turned off two-step verification.',
  'Para desactivarla, confirma que eres tú con tu contraseña y un código.':
    'To turn it off, confirm it’s you with your password and a code.',
  'Confirma que eres tú con tu contraseña.': 'Confirm it’s you with your password.',
  'La verificación en dos pasos está activa.': 'Two-step verification is on.',
  'Activa desde el {0}': 'On since {0}',
  'Sin activar': 'Off',
  'Al entrar te pedimos, además de tu contraseña, un código de tu app.':
    'When you sign in, we ask for a code from your app in addition to your password.',
  'Para el equipo del estudio: al entrar te pedimos, además de tu contraseña, un código que solo muestra tu teléfono. Así nadie entra solo con tu contraseña.':
    'For the studio’s team: when you sign in, we ask for a code that only your phone shows, in addition to your password. That way, nobody gets in with just your password.',
  'Códigos nuevos de recuperación': 'New recovery codes',
  Desactivar: 'Turn off',
  Activar: 'Turn on',
  'Instala una app de códigos en tu teléfono, como Google Authenticator o Microsoft Authenticator.':
    'Install a code app on your phone, such as Google Authenticator or Microsoft Authenticator.',
  'Escanea este código con la app, o escribe la clave.': 'Scan this code with the app, or enter the key.',
  'Código QR con la clave para tu app': 'QR code with the key for your app',
  'la clave': 'the key',
  'Escribe el código de seis dígitos que muestra.': 'Enter the six-digit code it shows.',
  Listo: 'Done',
  'Guarda estos códigos de recuperación': 'Save these recovery codes',
  'Con ellos entras si pierdes tu teléfono. Cada uno sirve una sola vez y no los volveremos a mostrar.':
    'Use them to sign in if you lose your phone. Each one works only once, and we won’t show them again.',
  'la lista de códigos': 'the list of codes',
  'Ya los guardé': 'I’ve saved them',

  // web/features/account/second-factor-step.tsx
  'Escribe uno de los códigos de recuperación que guardaste.': 'Enter one of the recovery codes you saved.',
  'Escribe el código de seis dígitos que muestra tu app.': 'Enter the six-digit code your app shows.',
  'Código de recuperación': 'Recovery code',
  'Usar el código de mi app': 'Use the code from my app',
  'Usar un código de recuperación': 'Use a recovery code',
  Volver: 'Back',

  // web/features/account/sessions-card.tsx
  'Cerramos tus demás sesiones.': 'We signed you out everywhere else.',
  'Con ella entras a tu cuenta.': 'You sign in with it.',
  'Entras con Google: tu contraseña se cambia en tu cuenta de Google.':
    'You sign in with Google: change your password in your Google account.',
  'Escribe tu contraseña actual.': 'Enter your current password.',
  'Tu contraseña cambió. Cerramos tus otras sesiones.': 'Your password was changed. We signed you out everywhere else.',
  'Sesiones abiertas': 'Where you’re signed in',
  'No pudimos cargar tus sesiones.': 'We couldn’t load your sessions.',
  '¿No reconoces alguna? Ciérralas y cambia tu contraseña. La dirección de tu calendario también cambia.':
    'Don’t recognize one? Sign out the others and change your password. Your calendar link changes too.',
  'Cerrar las demás': 'Sign out the others',
  'Último uso: {0}': 'Last used: {0}',
  'Recibe notificaciones': 'Receives notifications',
  'Esta sesión': 'This session',

  // web/features/account/signup-form.tsx
  'Términos y condiciones': 'Terms and conditions',
  'La contraseña no cumple los requisitos.': 'The password doesn’t meet the requirements.',
  'Tu cuenta de Google: {0}': 'Your Google account: {0}',
  'Diez dígitos. Por aquí te avisamos de tus clases.': 'Ten digits. We’ll use it to update you about your classes.',
  'Acepto {0}': 'I accept {0}',
  'Crear mi cuenta': 'Create my account',
  '¿Ya tienes cuenta? {0}': 'Already have an account? {0}',

  // web/features/account/signup-questions.tsx
  'No pudimos cargar las preguntas del estudio.': 'We couldn’t load the studio’s questions.',

  // web/features/account/signup-reason.tsx
  Otro: 'Other',
  'Me lo recomendaron': 'Someone recommended it to me',
  Google: 'Google',
  'Pasé por el estudio': 'I walked by the studio',
  'Cuéntanos cómo': 'Tell us how',
  '¿Cómo nos conociste?': 'How did you hear about us?',
}
