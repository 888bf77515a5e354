/** English texts of web/lib, web/ui and web/root.tsx, by their Spanish text. */
import type { Texts } from './texts.ts'

export const frame: Texts = {
  // web/lib/errors.ts
  'No pudimos conectarnos. Revisa tu conexión e intenta de nuevo.': 'We couldn’t connect. Check your connection and try again.',
  'Escribe tu correo.': 'Enter your email.',
  'Escribe tu contraseña.': 'Enter your password.',
  'La contraseña es demasiado débil.': 'The password is too weak.',
  'Esta cuenta está desactivada. Comunícate con nosotros.': 'This account is disabled. Contact us.',
  'Por seguridad, inicia sesión de nuevo para hacer este cambio.': 'For your security, sign in again to make this change.',
  'Este enlace ya venció.': 'This link has expired.',
  'Este enlace no es válido o ya se usó.': 'This link isn’t valid or was already used.',
  'No pudimos comprobar que eres una persona. Intenta de nuevo.': 'We couldn’t verify that you’re a person. Try again.',
  'Tu navegador bloqueó la ventana para iniciar sesión. Permítela e intenta de nuevo.':
    'Your browser blocked the sign-in window. Allow it and try again.',
  'Cerraste la ventana antes de iniciar sesión.': 'You closed the window before signing in.',
  'Ya hay otra ventana abierta para iniciar sesión.': 'There’s already another window open to sign in.',
  'Esta dirección no está autorizada para iniciar sesión.': 'This address isn’t authorized for signing in.',
  'Tu navegador no deja guardar tu sesión. Sal del modo privado o permite que este sitio guarde datos, y vuelve a intentar.':
    'Your browser doesn’t allow saving your session. Leave private mode or allow this site to save data, and try again.',
  'Esta forma de entrar no está disponible.': 'This way of signing in isn’t available.',
  'No pudimos completar la operación. {0}': 'We couldn’t complete the operation. {0}',

  // web/lib/identity-firebase.ts
  'Las contraseñas del equipo llevan al menos 8 caracteres.': 'Team passwords have at least 8 characters.',
  'Las contraseñas del equipo llevan al menos 8 caracteres. Elige otra en «¿Olvidaste tu contraseña?».':
    'Team passwords have at least 8 characters. Choose another one under “Forgot your password?”.',
  'Al menos {0} caracteres': 'At least {0} characters',
  'A lo más {0} caracteres': 'At most {0} characters',
  'Una letra minúscula': 'One lowercase letter',
  'Una letra mayúscula': 'One uppercase letter',
  'Un número': 'One number',
  'Un símbolo, como ! o ?': 'One symbol, such as ! or ?',

  // web/lib/identity-second-factor.ts
  'Ese código no es correcto o ya se usó. Espera a que tu app muestre otro.':
    'That code isn’t right or was already used. Wait for your app to show another.',
  'Pasó demasiado tiempo. Escribe otra vez tu contraseña.': 'Too much time has passed. Enter your password again.',
  'Pasó demasiado tiempo. Empieza de nuevo.': 'Too much time has passed. Start again.',
  'Tu cuenta ya tiene la verificación en dos pasos.': 'Your account already has two-step verification.',
  'Tu cuenta ya no tiene esa verificación. Empieza de nuevo.': 'Your account no longer has that verification. Start again.',

  // web/lib/menu.ts
  Reservaciones: 'Bookings',

  // web/lib/on-demand.tsx
  'No pudimos abrirlo': 'We couldn’t open it',
  'No pudimos abrirlo. Revisa tu conexión o vuelve a cargar la página.': 'We couldn’t open it. Check your connection or reload the page.',
  'Revisa tu conexión e intenta de nuevo; si sigue igual, vuelve a cargar la página.':
    'Check your connection and try again; if it stays the same, reload the page.',

  // web/root.tsx
  'No encontrado': 'Not found',
  'Algo salió mal': 'Something went wrong',
  'No encontramos lo que buscas.': 'We couldn’t find what you’re looking for.',
  'Algo salió mal de nuestro lado. Inténtalo más tarde.': 'Something went wrong on our side. Try again later.',
  'Ir al inicio': 'Go to the home page',

  // web/ui/chip-select.tsx
  'Quitar filtro: {0}': 'Remove filter: {0}',

  // web/ui/dialog.tsx
  Precaución: 'Caution',

  // web/ui/drawer.tsx
  'Cerrar menú': 'Close menu',

  // web/ui/field.tsx
  ' (Opcional)': ' (Optional)',
  'Mostrar contraseña': 'Show password',

  // web/ui/file-field.tsx
  'Elegir archivo': 'Choose file',
  'Elegir archivos': 'Choose files',

  // web/ui/marks-count.ts
  'Sin lugares': 'Full',
  'Último lugar': 'Last spot',
  '{0} lugares': '{0} spots',

  // web/ui/marks.tsx
  'Intensidad {0} de {1}': 'Intensity {0} of {1}',

  // web/ui/package-number.tsx
  Ilimitado: 'Unlimited',

  // web/ui/pager.tsx
  Páginas: 'Pages',
  'Página anterior': 'Previous page',
  'Página ': 'Page ',
  'Página siguiente': 'Next page',

  // web/ui/skeleton.tsx
  'Está tardando. Revisa tu conexión.': 'This is taking a while. Check your connection.',

  // web/ui/spot-map.tsx
  'fuera de servicio': 'out of order',
  'de tu invitado': 'your guest’s',
  'Elige el lugar de tu invitado': 'Choose your guest’s spot',
  'Fila {0}': 'Row {0}',
  Adaptado: 'Adapted',
  Disponible: 'Available',
  'Tu lugar': 'Your spot',
  'Tu invitado': 'Your guest',
  Ocupado: 'Taken',
  'Fuera de servicio': 'Out of order',

  // web/ui/stars.tsx
  Mala: 'Poor',
  Regular: 'Fair',
  Bien: 'Good',
  'Muy bien': 'Very good',
  Excelente: 'Excellent',
  '{0} de 5, {1}': '{0} out of 5, {1}',

  // web/ui/submit-button.tsx
  'Activa JavaScript para continuar.': 'Turn on JavaScript to continue.',

  // web/ui/tags-field.tsx
  'Escribe y presiona Enter para agregar.': 'Type and press Enter to add.',
  'Quitar {0}': 'Remove {0}',

  // web/ui/week-strip.tsx
  'Días de la semana': 'Days of the week',
  'tienes clase': 'you have a class',
}
