/**
 * Every refusal of the product: code -> HTTP status and Spanish sentence (section 8 of both spec documents, settled 9, 15, 38). Clients
 * decide by code, never by text. `{name}` in a sentence is replaced from the refusal's data.
 */
import { CONTENT_FAILED_MESSAGE } from './content-failed.ts'
import { accountErrors } from './copy/errors-account.ts'
import { publicErrors, type Sentence } from './copy/errors-public.ts'

const sentences = {
  ...publicErrors,
  ...accountErrors,

  // General
  MALFORMED_BODY: { status: 400, message: 'No pudimos leer lo que enviaste.' },
  BODY_TOO_LARGE: { status: 413, message: 'Lo que enviaste es demasiado grande.' },
  HEADERS_TOO_LARGE: { status: 431, message: 'La dirección y los encabezados que enviaste son demasiado largos.' },
  REQUEST_TIMEOUT: { status: 408, message: 'Lo que enviaste tardó demasiado en llegar. Inténtalo de nuevo.' },
  UNSUPPORTED_BODY: { status: 415, message: 'El formato de lo que enviaste no se acepta aquí.' },
  UNAUTHENTICATED: { status: 401, message: 'Inicia sesión para continuar.' },
  FORBIDDEN: { status: 403, message: 'No tienes permiso para hacer esto.' },
  SECOND_FACTOR_REQUIRED: {
    status: 403,
    message: 'Activa la verificación en dos pasos de tu cuenta para usar las herramientas del equipo.',
  },
  RECENT_SIGN_IN_REQUIRED: {
    status: 403,
    message: 'Por seguridad, cierra sesión, vuelve a entrar e inténtalo en los cinco minutos siguientes.',
  },
  DEVICE_LOCKED: { status: 403, message: 'Este dispositivo es compartido. Elige quién eres y escribe tu PIN para continuar.' },
  DEVICE_SHARED: { status: 403, message: 'Esto no se hace en un dispositivo compartido. Entra con tu correo y contraseña en otro.' },
  PIN_WRONG: { status: 403, message: 'El PIN no es correcto. Intentos que quedan: {left}.' },
  PIN_LOCKED: {
    status: 403,
    message: 'El PIN se escribió mal demasiadas veces. Para usarlo otra vez, entra con tu correo y contraseña y elige otro.',
  },
  PIN_NONE: { status: 409, message: 'Para compartir el dispositivo, primero elige tu PIN en el menú de tu cuenta.' },
  SECOND_FACTOR_NONE: { status: 409, message: 'Esta persona no tiene activada la verificación en dos pasos.' },
  SECOND_FACTOR_OWN: { status: 409, message: 'La tuya la quitas en Seguridad, con un código de tu app o de recuperación.' },
  LAST_OWNER: { status: 409, message: 'El estudio necesita al menos una persona con la función Propiedad.' },
  STUDIO_OWNED: { status: 409, message: 'Este estudio ya tiene quien lo administre. Entra con tu cuenta, o pide una invitación.' },
  INVITE_EXPIRED: { status: 410, message: 'Esta invitación venció o se retiró. Pide que te la envíen otra vez.' },
  INVITE_ACCEPTED: { status: 409, message: 'Esta persona ya aceptó su invitación.' },
  INVITE_OTHER_EMAIL: { status: 409, message: 'Esta invitación es para {email}. Entra con ese correo para aceptarla.' },
  INVITE_EMAIL_UNCONFIRMED: {
    status: 412,
    message: 'Confirma tu correo con el enlace que te enviamos, entra otra vez y acepta la invitación.',
  },
  CUSTOMER_WITHOUT_EMAIL: { status: 409, message: 'Esta persona no tiene correo. Agrégalo y vuelve a intentarlo.' },
  NOT_FOUND: { status: 404, message: 'No encontramos lo que buscas.' },
  METHOD_NOT_ALLOWED: { status: 405, message: 'Esta dirección no se usa así.' },
  IN_USE: { status: 409, message: 'No se puede eliminar porque está en uso.' },
  CLASS_HAS_HISTORY: {
    status: 409,
    message: 'Alguien ya tuvo un lugar o estuvo en la lista de espera de esta clase. Cancélala en lugar de eliminarla.',
  },
  PROTECTED: { status: 409, message: 'El estudio necesita este registro: no se puede cambiar así ni eliminar.' },
  ALREADY_EXISTS: { status: 409, message: 'Ya existe un registro con esos datos.' },
  IDEMPOTENCY_KEY_REUSED: { status: 422, message: 'Esta solicitud ya se usó con otros datos.' },
  BUSY: { status: 503, message: 'El sistema está ocupado. Inténtalo en un momento.' },

  // Accounts (spec 1 section 8, sign-in and sign-up)
  EMAIL_NOT_VERIFIED: {
    status: 412,
    message: 'El estudio ya te tiene en su lista con ese correo. Confírmalo con el enlace que te enviamos y termina tu registro.',
  },
  INVALID_PHONE: { status: 400, message: 'El formato del teléfono no es correcto.' },
  NO_CUSTOMER: { status: 404, message: 'Tu cuenta todavía no está completa. Regístrate para continuar.' },
  DOCUMENTS_REQUIRED: { status: 412, message: 'Debes aceptar los términos y condiciones antes de continuar.' },
  DOCUMENT_CHANGED: { status: 409, message: 'El documento cambió mientras se leía. Ábrelo otra vez para aceptarlo como está ahora.' },
  FORM_FIELD: { status: 400, message: 'Revisa el campo: {label}' },
  FORM_FIELDS: { status: 400, message: 'Revisa los campos faltantes o inválidos.' },

  // Checkout (spec 1 section 8, both flows and the embedded form)
  PACKAGE_NOT_FOUND: { status: 404, message: 'Lo sentimos, no encontramos el paquete que quieres comprar.' },
  EVENT_OVER: { status: 412, message: 'Este evento ya pasó: ya no está a la venta.' },
  EVENT_CANCELLED: { status: 412, message: 'Este evento se canceló: ya no está a la venta.' },
  PRICE_CHANGED: {
    status: 409,
    message: 'El precio cambió mientras comprabas: ahora es {price}. No te cobramos nada; revísalo y confirma de nuevo.',
  },
  TRIAL_USED: {
    status: 409,
    message: 'La prueba gratis es una por persona, y ya se usó: hoy pagas {price}. No te cobramos nada; revísalo y confirma de nuevo.',
  },
  PAYMENT_METHOD_MISSING: { status: 400, message: 'No has seleccionado un método de pago.' },
  VOUCHER_NAME: {
    status: 412,
    message:
      'Para pagar en OXXO, tu nombre y tu apellido necesitan al menos dos letras cada uno. Complétalos en Mi Información o elige otra forma de pago.',
  },
  AMOUNT_OUT_OF_RANGE: { status: 412, message: 'Este método de pago no acepta esa cantidad. Elige otro, por favor.' },
  CARD_SUSPICIOUS: {
    status: 402,
    message: 'Lo sentimos, nuestro procesador de tarjetas ha rechazado el pago. Comunícate con nosotros.',
  },
  CARD_INSUFFICIENT_FUNDS: { status: 402, message: 'Lo sentimos. Tu tarjeta ha sido rechazada por fondos insuficientes.' },
  CARD_LOST_OR_STOLEN: {
    status: 402,
    message: 'Lo sentimos. Tu tarjeta está reportada como perdida o robada y no se puede usar.',
  },
  PAYMENT_IN_PROGRESS: { status: 409, message: 'Tu compra se está procesando. Espera un momento.' },
  PURCHASE_IN_PROGRESS: {
    status: 409,
    message: 'Ya tienes una compra en proceso de este paquete. Revisa cómo va en Mis Compras antes de pagar otra vez.',
  },
  PURCHASE_REPEATED: { status: 409, message: 'Acabas de comprar este paquete. Si quieres otro igual, confírmalo.' },
  SUBSCRIPTION_REPEATED: { status: 409, message: 'Ya tienes esta suscripción. Si quieres otra igual, confírmalo.' },
  TOO_MANY_CARDS: {
    status: 429,
    message: 'Diez intentos de pago no pasaron. Habla con tu banco, o paga con otra tarjeta o de otra forma.',
  },
  PURCHASE_NOT_FOUND: { status: 404, message: 'No encontramos esa compra.' },
  PURCHASE_CLOSED: { status: 409, message: 'Esta compra ya no se puede modificar.' },
  PAYMENT_SOURCE_NOT_FOUND: { status: 404, message: 'Hubo un error al agregar este método de pago.' },
  PAYMENT_SOURCE_IN_USE: { status: 409, message: 'Hubo un error al agregar este método de pago.' },
  RECEIPT_NONE: { status: 409, message: 'Todavía no hay comprobante de esta compra.' },
  INVOICING_NOT_READY: { status: 409, message: 'El estudio todavía no puede facturar. Falta {missing}.' },
  CHARGE_NOT_INVOICEABLE: { status: 409, message: 'Este cargo no se puede facturar: {why}' },
  CHARGE_INVOICED: { status: 409, message: 'Este cargo ya tiene factura.' },
  INVOICE_REFUSED: { status: 422, message: 'El SAT no aceptó la factura. {why} Corrige los datos e inténtalo de nuevo.' },
  INVOICE_NOT_CANCELLABLE: { status: 409, message: 'Esta factura no se puede cancelar: {why}' },
  INVOICE_MAY_BE_STAMPED: { status: 409, message: 'Esta factura no se puede dar por no timbrada: {why}' },
  INVOICES_WAITING: {
    status: 409,
    message: 'La cuenta no se puede cambiar todavía: falta saber si con ella se timbró {folios}. Cambiar solo la contraseña sí se puede.',
  },
  REFUND_NOTHING_LEFT: { status: 409, message: 'De este cobro ya no queda nada por devolver.' },
  REFUND_TOO_MUCH: { status: 409, message: 'No se puede devolver más de lo que se cobró.' },
  REFUND_REFUSED: {
    status: 412,
    message: 'El procesador no aceptó la devolución. Devuelve el dinero de otra forma y regístralo como devolución a mano.',
  },
  REFUND_IN_PROGRESS: {
    status: 409,
    message: 'Otra devolución del mismo cobro está en proceso. Espera a que termine.',
  },
  CHARGE_DISPUTED: { status: 409, message: 'El banco está revisando este cobro: por ahora no se puede devolver.' },
  OVER_LIMIT_REASON: {
    status: 409,
    message: 'Esta persona ya llegó al límite de este paquete: {limit}. Para darle otro, confírmalo y escribe el motivo.',
  },
  CREDITS_NOT_ENDING: { status: 409, message: 'Esta persona ya no tiene créditos por vencer en estos días.' },
  NOT_ENOUGH_CLASSES: { status: 412, message: 'Clases por usar de esta persona: {left}. No se pueden restar más.' },

  // The counter
  CUSTOMER_REQUIRED: { status: 409, message: 'Elige al cliente: sin él solo se venden productos y otros montos, pagados completos.' },
  GIFT_CARDS_CLOSED: { status: 412, message: 'Por ahora no se venden tarjetas de regalo en línea con esa cantidad.' },
  GIFT_CARD_NOT_FOUND: { status: 404, message: 'Ninguna tarjeta de regalo tiene ese código. Revísalo letra por letra.' },
  GIFT_CARD_BALANCE: { status: 409, message: 'A la tarjeta de regalo que termina en {last_four} le quedan {balance} pesos.' },
  GIFT_CARD_NOT_SENT_BY_MAIL: { status: 412, message: 'El código de esta tarjeta no se manda por correo.' },
  GIFT_CARD_SUBSCRIPTION: { status: 412, message: 'Las suscripciones no se pagan con tarjeta de regalo.' },
  PRODUCT_SOLD_OUT: { status: 412, message: 'De {name} quedan {left}. Quita piezas o corrige las existencias.' },

  // Discounts
  DISCOUNT_NOT_FOUND: { status: 404, message: 'Descuento no encontrado.' },
  DISCOUNT_NOT_FOR_ACCOUNT: { status: 412, message: 'Lo sentimos, este código no es para esta cuenta.' },
  SEGMENT_NOT_FOUND: { status: 404, message: 'Ese segmento ya no existe.' },
  BELOW_USED: { status: 409, message: 'Ya van {used}: el límite no puede ser menor.' },

  // Subscriptions
  CANCEL_REASON_REQUIRED: { status: 400, message: 'Debes indicar un motivo de cancelación.' },
  SUBSCRIPTION_NOT_CANCELLABLE: { status: 409, message: 'Esta suscripción ya no se puede cancelar.' },
  IMPORT_FILE: { status: 422, message: 'No pudimos leer el archivo. {why}' },
  IMPORT_STATE: { status: 409, message: 'Esta importación ya está en otro paso. Vuelve a cargarla.' },
  IMPORT_MAPPING: { status: 409, message: 'Falta decir {what}.' },
  BULK_TOO_LARGE: { status: 409, message: 'Son demasiados para cambiarlos de una vez: elige hasta 5,000.' },
  EXPORT_TOO_LARGE: { status: 409, message: 'Son demasiadas filas para un archivo. Elige menos días o más filtros.' },
  INCOME_BEING_PREPARED: {
    status: 409,
    message: 'Estamos preparando los ingresos por día: faltan {left} compras. Este reporte se abre solo cuando terminen, en unos minutos.',
  },
  SUBSCRIPTION_OVER: { status: 409, message: 'Esta suscripción ya no se cobra.' },
  SUBSCRIPTION_NOT_OVERDUE: { status: 409, message: 'Esta suscripción no debe ninguna renovación.' },
  SUBSCRIPTION_NOT_PAUSABLE: { status: 409, message: 'Esta suscripción no se puede pausar.' },
  PLAN_NOT_CHANGEABLE: { status: 409, message: 'Este plan no se puede cambiar: {why}.' },
  PLAN_CHANGE_WAITING: { status: 409, message: 'Ya hay un cambio de plan en espera. Cóbralo o cancélalo antes de hacer otro.' },
  PLAN_CHANGE_NONE: { status: 409, message: 'No hay ningún cambio de plan programado.' },
  PLAN_RENEWS_SOON: { status: 409, message: 'Este plan se renueva en menos de un día. Cámbialo al final de su periodo.' },
  PLAN_CREDIT_TOO_HIGH: {
    status: 409,
    message: 'Lo que le queda pagado vale {credit}, más de lo que cuesta el plan nuevo. Cámbialo al final de su periodo.',
  },
  PAYMENT_LINK_INVALID: { status: 404, message: 'Este enlace no es válido.' },
  PAYMENT_LINK_GONE: { status: 409, message: 'Este enlace ya venció o se canceló. Pide otro al estudio.' },
  CUSTOMER_EMAIL_REQUIRED: { status: 409, message: 'Para cobrar en línea hace falta el correo de la persona.' },
  CARD_LINK_GONE: { status: 409, message: 'Este enlace ya se usó o venció. Cambia tu tarjeta desde Mis Compras o escríbenos.' },

  // Classes and reservations (spec 2 section 8)
  CLASS_NOT_FOUND: { status: 404, message: 'No encontramos esa clase.' },
  CLASS_FULL: { status: 412, message: 'Lo sentimos, ya no quedan lugares en esta clase.' },
  CLASS_STARTED: { status: 412, message: 'Esta clase ya comenzó.' },
  CLASS_CANCELLED: { status: 412, message: 'El estudio canceló esta clase.' },
  CLASS_NOT_OPEN: { status: 412, message: 'Las reservas abren el {opens}.' },
  CLASS_CLOSED: { status: 412, message: 'Las reservas de esta clase cerraron el {closed}.' },
  CLASS_SOLD_AS_PACKAGE: { status: 412, message: 'Esta clase se compra por separado.' },
  NO_CREDITS: {
    status: 412,
    message: 'Lo sentimos. Has agotado todos tus créditos. Compra un paquete para seguir reservando.',
  },
  NO_MATCHING_CREDITS: {
    status: 412,
    message: 'Lo sentimos. Has agotado todos tus créditos para esta clase. Tus otros créditos no aplican aquí.',
  },
  CREDIT_NOT_USABLE: { status: 412, message: 'Ese crédito no se puede usar en esta clase. Elige otro, por favor.' },
  ALREADY_RESERVED: { status: 409, message: 'Ya tienes un lugar en esta clase.' },
  OVERLAPPING_RESERVATION: { status: 409, message: 'Ya tienes otra clase a esa hora.' },
  SPOT_REQUIRED: { status: 412, message: 'Elige un lugar del mapa.' },
  SPOT_TAKEN: { status: 409, message: 'Ese lugar ya está ocupado. Elige otro, por favor.' },
  SPOT_UNKNOWN: { status: 400, message: 'Ese lugar no existe en esta clase.' },
  SPOT_OUT_OF_ORDER: { status: 412, message: 'Ese lugar no está disponible. Elige otro, por favor.' },
  GUESTS_NOT_ALLOWED: { status: 412, message: 'En este estudio no se aceptan invitados.' },
  GUEST_NAME_REQUIRED: { status: 400, message: 'Debes ingresar un nombre para tu invitado' },
  RESERVATION_NOT_FOUND: { status: 404, message: 'No encontramos esa reservación.' },
  RESERVATION_CANCELLED: { status: 409, message: 'Esta reservación ya estaba cancelada.' },
  CANCEL_TOO_LATE: { status: 412, message: 'Solo puedes cancelar clases con {window} de anticipacion' },
  CANCEL_NOT_ALLOWED: { status: 412, message: 'Tus clases son transferibles y no son cancelables' },
  CANCEL_LIMIT: { status: 412, message: 'Solo puedes cancelar hasta {n} {times} por cada crédito de clase.' },
  GUEST_NOT_FOUND: { status: 404, message: 'Esta reservación no tiene invitado.' },
  MOVE_TOO_LATE: { status: 412, message: 'Ya no puedes cambiar de clase: faltan menos de {window} para la tuya.' },
  MOVE_SAME_CLASS: { status: 409, message: 'Ya estás en esa clase.' },
  ALREADY_RATED: { status: 409, message: 'Ya calificaste esta clase.' },
  RATING_NOT_ALLOWED: { status: 412, message: 'Solo puedes calificar las clases a las que asististe.' },
  WAITLIST_DISABLED: { status: 412, message: 'En este estudio no hay lista de espera.' },
  WAITLIST_CLASS_HAS_PLACES: { status: 412, message: 'Todavía hay lugares en esta clase. Resérvala directamente.' },
  WAITLIST_ALREADY: { status: 409, message: 'Ya estás en la lista de espera de esta clase.' },
  WAITLIST_NOT_FOUND: { status: 404, message: 'No estás en esa lista de espera.' },
  PENALTY_NOT_FOUND: { status: 404, message: 'No encontramos esa penalización.' },
  PENALTIES_DISABLED: { status: 412, message: 'En este estudio no hay penalizaciones.' },
  PENALTY_OVER: { status: 409, message: 'Esta penalización ya terminó.' },

  // Staff: classes and reservations
  NOT_YOUR_CLASS: { status: 403, message: 'Solo puedes pasar lista en tus clases.' },
  ATTENDANCE_TOO_EARLY: { status: 412, message: 'Todavía no se puede pasar lista en esta clase.' },
  TASK_RESOLVED: { status: 409, message: 'Ya lo resolvió {name}.' },
  TASK_GONE: { status: 409, message: 'Esto ya está resuelto.' },
  TASK_CHANGED: { status: 409, message: 'Esto cambió mientras lo veías. Revísalo otra vez.' },
  ROSTER_NOT_CLOSABLE: { status: 412, message: 'La lista se puede cerrar cuando empieza la clase.' },
  MARK_SUPERSEDED: { status: 409, message: 'Alguien del equipo marcó después: se queda lo más reciente.' },
  PAYMENTS_DIFFER: { status: 409, message: 'Los pagos y lo que queda a deber no suman el total.' },
  PAYMENT_DECIDED: { status: 409, message: 'Este pago ya se confirmó o ya se descartó.' },
  CASH_SESSION_REQUIRED: { status: 409, message: 'Abre tu caja para cobrar en efectivo.' },
  CASH_SESSION_OPEN: { status: 409, message: 'Ya hay una caja abierta de esta persona en este estudio.' },
  CASH_SESSION_CLOSED: { status: 409, message: 'Esta caja ya se cerró: su corte no cambia.' },
  CASH_SESSION_NOT_CLOSED: { status: 409, message: 'Esta caja sigue abierta: primero se hace el corte.' },
  CASH_NOTE_REQUIRED: {
    status: 409,
    message: 'Lo contado no coincide con lo que debería haber. Vuelve a contar, o explica la diferencia en una nota.',
  },
  PRICE_MISSING: {
    status: 412,
    message:
      'Esta clase no tiene precio para venderse sola. Ponle un precio a la clase o a su tipo de clase, o escribe en Ajustes cuánto cuesta una clase suelta (drop_in_price).',
  },
  RESERVATION_NOT_CASH: { status: 409, message: 'Esta reservación no se paga en efectivo.' },
  HOLIDAY_OVERLAP: { status: 409, message: 'Esos días ya están marcados sin clases: {name}.' },
  SUBSTITUTION_TAKEN: { status: 409, message: 'Ya la da {name}.' },
  SUBSTITUTION_CLOSED: { status: 409, message: 'Ya no se busca suplente para esta clase.' },
  SUBSTITUTION_OPEN: { status: 409, message: 'Ya se busca suplente para esta clase.' },
  SUBSTITUTION_NOT_YOURS: { status: 403, message: 'Solo puedes pedir suplente para tus clases.' },
  SUBSTITUTE_BUSY: { status: 409, message: 'A esa hora das otra clase.' },
  PAYROLL_RANGE: { status: 422, message: 'Elige de uno a {max} días, del primero al último.' },
  PAYROLL_PERIOD: { status: 404, message: 'Ese día no empieza un periodo de pago.' },
  PAYROLL_APPROVED: { status: 409, message: 'Este periodo ya está aprobado y no cambia. Lo que falte va en el siguiente.' },
  PAYROLL_NOT_APPROVED: { status: 409, message: 'Este periodo todavía no está aprobado.' },
  PAYROLL_RUNNING: { status: 409, message: 'Este periodo todavía no termina.' },
  PAYROLL_UNSETTLED: { status: 409, message: 'Hay clases con la lista abierta: {count}. Ciérralas y vuelve a intentar.' },
  PAYROLL_WITHOUT_RULE: { status: 409, message: 'Hay clases sin regla de pago: {count}. Agrega la regla y vuelve a intentar.' },
  PAYROLL_CHANGED: { status: 409, message: 'El total cambió y ahora es otro: {total} pesos. Revísalo y vuelve a aprobar.' },
  PAYROLL_LATER_APPROVED: { status: 409, message: 'Ya se aprobó un periodo posterior. Lo que falte va como ajuste en el siguiente.' },
  PAYROLL_WITHOUT_CLABE: { status: 409, message: 'Falta la CLABE de: {names}.' },
  CAPACITY_BELOW_TAKEN: { status: 409, message: 'Lugares ocupados o apartados en esta clase: {taken}. El cupo no puede ser menor.' },
  SPOTS_IN_USE: { status: 409, message: 'Hay personas en estos lugares: {spots}.' },
  ROOM_TAKEN: { status: 409, message: 'La sala {room} está ocupada: {name}, {when}.' },
  CHANGED_MEANWHILE: { status: 409, message: '{by} cambió esto {when}. Revisa cómo quedó y vuelve a guardar.' },
  TOO_MANY_CLASSES: {
    status: 422,
    message: 'Son demasiadas clases para un solo cambio: lo más que se puede son {most}. Hazlo por partes.',
  },
  TEMPLATE_EMPTY: { status: 422, message: 'Esa semana no tiene clases publicadas.' },
  SERIES_EMPTY: { status: 422, message: 'Con esos días y esa fecha de fin no resulta ninguna clase.' },
  ERASE_BLOCKED: { status: 409, message: 'Todavía no se pueden borrar sus datos. {reasons}' },
  ARCHIVE_BLOCKED: { status: 409, message: 'Todavía no se puede dar de baja. {reasons}' },
  ERASE_PENDING: { status: 409, message: 'Sus datos ya están por borrarse.' },
  MERGE_REFUSED: { status: 409, message: 'No se pueden combinar todavía. {reasons}' },
  MERGE_CHANGED: { status: 409, message: 'Desde que se combinaron hubo movimientos: ya no se pueden separar.' },
  UNDO_TOO_LATE: { status: 412, message: 'Ya pasó el tiempo para deshacerlo.' },
  UNDO_CHANGED: { status: 409, message: 'Esto cambió después: ya no se puede deshacer.' },
  CREDIT_NOT_FOUND: { status: 404, message: 'No encontramos ese crédito.' },
  CREDIT_REVOKED: { status: 409, message: 'Ese crédito ya se había retirado.' },

  MESSAGE_ALWAYS_SENT: { status: 409, message: 'Este mensaje siempre sale: trata del lugar, el dinero o la tarjeta de la persona.' },
  TEMPLATES_NOT_CONNECTED: {
    status: 409,
    message: 'La cuenta de WhatsApp no recibe textos desde aquí. Pide a quien la configuró que agregue el id de la cuenta de negocio.',
  },
  TEMPLATE_NOT_APPROVED: { status: 409, message: 'WhatsApp todavía no aprueba este texto: no se puede mandar.' },
  NO_OWN_PHONE: { status: 409, message: 'No sabemos tu teléfono: agrégalo a tu cuenta de cliente para recibir la prueba.' },
  GUEST_ALREADY_NAMED: { status: 409, message: 'Ya llevas un invitado a esta clase.' },
  GUEST_INVITE_LIMIT: { status: 409, message: 'Ya apartamos tres veces un lugar para tu invitado: agrégalo tú con su nombre.' },
  GUEST_INVITES_OPEN: {
    status: 409,
    message: 'Ya tienes {max} lugares apartados para tus invitados. Cuando tomen uno o venza, puedes apartar otro.',
  },
  GUEST_INVITE_INVALID: { status: 404, message: 'Este enlace no es válido.' },
  GUEST_INVITE_GONE: { status: 409, message: 'Este lugar ya no está apartado.' },
  NO_OWN_PUSH: { status: 409, message: 'Activa primero las notificaciones en tu cuenta de cliente, en Mis Mensajes.' },
  NO_OWN_ACCOUNT: { status: 409, message: 'Para verla en tu cuenta te hace falta una cuenta de cliente.' },
  BROADCAST_TOO_LARGE: { status: 413, message: 'Son {total} personas, y un mensaje va a lo más a {max}. Elige un grupo más chico.' },
  BROADCAST_EMPTY: { status: 409, message: 'No hay nadie a quien enviárselo.' },
  BROADCAST_OVER: { status: 409, message: 'Este mensaje ya terminó de salir o se canceló.' },
  UNSUBSCRIBE_INVALID: { status: 404, message: 'Este enlace no es válido.' },
  MESSAGE_NOT_RESENDABLE: { status: 409, message: 'Este mensaje no se puede reenviar.' },
  MESSAGE_WITHOUT_CONSENT: { status: 409, message: 'Esta persona no dio permiso para recibir este mensaje por aquí.' },

  // Content, videos, admin
  CONTENT_FAILED: { status: 404, message: CONTENT_FAILED_MESSAGE },
  VIDEOS_DISABLED: { status: 404, message: 'En este estudio no hay videos.' },
  VIDEO_ADDRESS: {
    status: 400,
    message:
      'Ese video no se puede mostrar aquí. Sirven direcciones de YouTube, Vimeo, Wistia, Cloudflare Stream, Bunny, Loom y Mux, la de un archivo .mp4 o .webm que empiece con https://, o un video que subas aquí.',
  },
  FILE_TYPE: { status: 415, message: 'Ese tipo de archivo no se acepta. Sirven imágenes JPG, PNG, WebP, GIF o AVIF, y PDF.' },
  FILE_HEIC: { status: 415, message: 'Las fotos HEIC no se aceptan. Guárdala como JPG y vuelve a elegirla.' },
  FILE_TOO_LARGE: { status: 413, message: 'El archivo es demasiado grande. El límite es de {limit}.' },
  FILE_MISSING: { status: 400, message: 'Debes cargar el archivo solicitado.' },
  FILE_UNREADABLE: { status: 415, message: 'No pudimos leer ese archivo. Intenta con otro.' },
  FILE_QUOTA: { status: 412, message: 'Ya no te queda espacio para más archivos. Elimina alguno e intenta de nuevo.' },
  FILE_STORAGE: { status: 503, message: 'No pudimos guardar el archivo. Inténtalo en un momento.' },
} as const satisfies Record<string, Sentence>

/** The code of a refusal; anything else does not compile. */
export type ErrorCode = keyof typeof sentences

/** How many rows of one kind refer to a record that therefore cannot be deleted (IN_USE); kinds are named as on the wire. */
export interface UseCount {
  kind: string
  count: number
}

/** The stored version of a setting that was changed meanwhile (CHANGED_MEANWHILE of `PUT /appconfig`). */
export interface SettingConflict {
  key: string
  value: unknown
  /** When it was changed, as an ISO instant, and by whom; null: not by staff. */
  at: string | null
  by: string | null
}

/**
 * A field that two people set differently on one class (CHANGED_MEANWHILE of the timetable): what is stored, and what was sent, in words.
 */
export interface ClassFieldConflict {
  field: string
  label: string
  stored: string
  yours: string
}

/** Values for the placeholders of a sentence, also sent to the client. */
export type ErrorData = Record<
  string,
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly FieldIssue[]
  | readonly UseCount[]
  | readonly SettingConflict[]
  | readonly ClassFieldConflict[]
>

/** What is wrong with one field; refusals about several fields have a list of these as `issues`. */
export interface FieldIssue {
  path: string
  message: string
}

export const errors: Readonly<Record<ErrorCode, Sentence>> = sentences

/** Whether a text is one of our codes. */
export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(sentences, code)
}

/** The Spanish sentence of a refusal. */
export function sentence(code: ErrorCode, data: ErrorData = {}): string {
  return sentences[code].message.replace(/\{(\w+)\}/g, (blank, name: string) => String(data[name] ?? DEFAULTS[name] ?? blank))
}

/** Replaces a placeholder whose value the refusal does not have: the time of another person's change. */
const DEFAULTS: Readonly<Record<string, string>> = { when: 'mientras lo editabas' }

/**
 * A rule refused: returned by rules, thrown by operations. Not a bug: the caller gets the code and nothing is written. It has no stack: the
 * endpoint for a week of classes evaluates rules a hundred times, and capturing a stack costs more than the response.
 */
export class Refusal extends Error {
  readonly code: ErrorCode
  readonly data: ErrorData
  constructor(code: ErrorCode, data: ErrorData = {}) {
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    super(sentence(code, data))
    Error.stackTraceLimit = stackTraceLimit
    this.name = 'Refusal'
    this.code = code
    this.data = data
  }
  get status(): number {
    return errors[this.code].status
  }
}

/** A refusal whose code is one of these: for rules whose refusals have to be in a list of the contract. */
export type RefusalOf<C extends ErrorCode> = Refusal & { readonly code: C }

/** Creates (does not throw) a refusal. */
export function refuse<C extends ErrorCode>(code: C, data?: ErrorData): RefusalOf<C> {
  return new Refusal(code, data) as RefusalOf<C>
}
