/** Help of the settings of sales, payments and invoices (contract/setting-help.ts). */
import { PAYMENT_FORMS, REGIME_CODES, REGIMES } from '#contract/sat-catalogues.ts'
import type { SettingKey } from '#contract/settings.ts'
import type { SettingHelp } from './entry.ts'

export const salesHelp = {
  // Sales
  class_packages_name: { label: 'Nombre de los paquetes', help: 'Como se llaman en el menú y en su página.' },
  class_packages_path: { label: 'Dirección de los paquetes', help: 'Ruta de su página, como /paquetes.' },
  discounts_enabled: { label: 'Códigos de descuento', help: 'Si se puede escribir un código al pagar.' },
  cash_checkout_enabled: { label: 'Pagar en el estudio', help: 'Aparta el paquete y se paga en recepción.' },
  checkout_disabled: {
    label: 'Cerrar las compras',
    help: 'Nadie puede comprar en el sitio.',
    danger: 'Nadie puede comprar en el sitio mientras esté activo.',
  },
  paypal_enabled: { label: 'PayPal', help: 'Ofrece PayPal al pagar.' },
  paypal_client_id: {
    depends_on: { key: 'paypal_enabled', equals: true },
    label: 'Client ID de PayPal',
    help: 'Identificador público de tu cuenta.',
  },
  payment_sources_enabled: { label: 'Guardar tarjetas', help: 'Si las personas pueden guardar su tarjeta.' },
  payment_sources: { label: 'Medios guardados', help: 'Se conserva como venía; hoy no cambia nada.' },
  subscriptions_enabled: { label: 'Suscripciones', help: 'Si se venden paquetes que se cobran cada periodo.' },
  stripe_public: { label: 'Llave pública de Stripe', help: 'La que empieza con pk_.' },
  stripe_checkout_mode: {
    label: 'Pago con Stripe',
    help: 'En tu página o en la de Stripe.',
    choices: { embedded: 'En tu página', session: 'En la página de Stripe' },
  },
  express_checkout_enabled: {
    label: 'Apple Pay, Google Pay y Link',
    help: 'Un botón en el checkout, donde el navegador lo tenga. Cobra Stripe; registra antes tu dominio en su panel.',
  },
  conekta_public: { label: 'Llave pública de Conekta', help: 'La que empieza con key_.' },
  oxxo_enabled: { label: 'OXXO', help: 'Ofrece pagar en efectivo en OXXO.' },
  spei_enabled: { label: 'SPEI', help: 'Ofrece pagar por transferencia SPEI.' },
  gift_cards_on_site: { label: 'Tarjetas de regalo en el sitio', help: 'Se compran en línea y el código llega por correo.' },
  gift_card_amounts: {
    depends_on: { key: 'gift_cards_on_site', equals: true },
    label: 'Cantidades de las tarjetas de regalo',
    help: 'En pesos, separadas por comas, como 500, 1000.',
  },
  checkout_redirect_url: {
    type: 'link',
    label: 'Página después de pagar',
    help: 'Adónde se va quien acaba de pagar; vacía: la página de gracias.',
  },
  signup_fee: {
    type: 'ref',
    ref: '/class_packages',
    label: 'Inscripción',
    help: 'Paquete que se debe comprar antes que los demás.',
  },
  subscription_cancel_reason_required: {
    depends_on: { key: 'subscriptions_enabled', equals: true },
    label: 'Pedir motivo al cancelar',
    help: 'Si cancelar una suscripción pide un motivo.',
  },
  drop_in_price: {
    label: 'Precio de una clase suelta',
    help: 'Lo que cuesta en recepción un lugar en una clase, en pesos, cuando ni la clase ni su tipo tienen su propio precio. Vacío: no se venden clases sueltas.',
  },
  pos_discount_max_percent: {
    label: 'Descuento máximo en recepción',
    help: 'Hasta cuánto puede bajar recepción un precio por su cuenta, siempre con motivo. La propiedad y la gerencia no tienen límite.',
    unit: '%',
  },
  pos_refund_max: {
    label: 'Devolución máxima en recepción',
    help: 'Hasta cuántos pesos puede devolver recepción por cargo. Con 0.00 solo devuelven la propiedad y la gerencia.',
    unit: 'pesos',
  },
  payment_terminal_fields_required: {
    label: 'Pedir los datos de la terminal',
    help: 'Si al cobrar con terminal se deben escribir los últimos cuatro dígitos y el número de autorización.',
  },
  cash_session_required: {
    label: 'Cobrar efectivo solo con la caja abierta',
    help: 'Si cada persona del equipo debe abrir su caja antes de registrar una venta en efectivo.',
  },
  schedule_drafts: {
    label: 'Reunir los cambios del horario antes de publicarlos',
    help: 'Los cambios del horario quedan sin publicar hasta que quien los hizo los publica juntos. Apagado: cada cambio se publica al guardarlo.',
  },
  schedule_weeks_ahead: {
    label: 'Semanas que se programan por adelantado',
    help: 'Cuántas semanas adelante tiene clases una serie sin fecha de fin.',
    unit: 'semanas',
  },
  coach_travel_minutes: {
    label: 'Traslado de coaches entre estudios',
    help: 'Cuánto tiempo necesita una persona entre dos clases en estudios distintos. Con menos, el horario lo señala como conflicto.',
    unit: 'minutos',
  },
  payroll_period: {
    label: 'Cada cuánto se paga a los coaches',
    help: 'Los días que reúne la nómina. Lo que ya se aprobó no cambia.',
    choices: { quincena: 'Quincena: del 1 al 15 y del 16 al último', mes: 'Mes' },
  },
  low_attendance_percent: {
    label: 'Poca gente en una clase',
    help: 'Con menos de este porcentaje de lugares tomados, una clase de hoy se señala en Hoy desde seis horas antes. Con 0 no se señala.',
    unit: '%',
  },
  substitution_approval: {
    label: 'Aprobar las suplencias',
    help: 'Quien acepta dar la clase de otra persona espera a que la propiedad o la gerencia lo apruebe. Apagado: la da quien acepta primero.',
  },
  cash_blind_count: {
    depends_on: { key: 'cash_session_required', equals: true },
    label: 'Corte a ciegas',
    help: 'Recepción cuenta su caja sin ver cuánto debería haber. La propiedad y la gerencia siempre lo ven.',
  },
  cash_difference_max: {
    label: 'Diferencia que se acepta sin nota',
    help: 'Si lo contado en un corte difiere por más que esto, hay que explicarlo con una nota.',
    unit: 'pesos',
  },
  business_legal_name: { label: 'Razón social', help: 'Nombre legal del estudio, como va en sus comprobantes.' },
  business_rfc: { label: 'RFC', help: 'RFC del estudio, en mayúsculas, como va en sus comprobantes.' },
  business_postal_code: {
    label: 'Código postal fiscal',
    help: 'El del domicilio fiscal del estudio: es el lugar de expedición de sus facturas.',
  },
  business_regime: {
    label: 'Régimen fiscal',
    help: 'Régimen con el que factura el estudio.',
    choices: { ...Object.fromEntries(REGIME_CODES.map((code) => [code, `${code} · ${REGIMES[code].label}`])), '': 'Sin elegir' },
  },
  invoice_series: { label: 'Serie de facturas', help: 'Letras que llevan los folios de las facturas.' },
  self_invoice: {
    label: 'Facturación en línea',
    help: 'Cada cliente factura sus cargos en Mis Cargos hasta que termina el mes en que pagó. El equipo puede después.',
  },
  global_invoice: {
    label: 'Factura global',
    help: 'Cada cuánto se factura al público en general lo que nadie pidió: un documento por forma de pago, veinte horas después de que termina el periodo.',
    choices: { off: 'No se emite', day: 'Cada día', month: 'Cada mes' },
  },
  self_invoice_until: {
    label: 'Hasta cuándo factura el cliente',
    help: 'Con “hasta que termina el año” también factura lo que ya está en la factura global: se le resta con una nota de crédito.',
    choices: { month: 'Hasta que termina el mes', year: 'Hasta que termina el año' },
  },
  global_leave: {
    label: 'Cuando se factura lo que ya está en la global',
    help: 'La otra queda relacionada con la cancelada. Si la global ya tiene notas de crédito o pasó el plazo del SAT para cancelarla, la venta sale con nota de crédito.',
    choices: { credit: 'Sale con una nota de crédito', replace: 'Se cancela la global y se expide otra' },
  },
  invoice_form_card: {
    label: 'Tarjeta sin tipo conocido',
    help: 'Forma de pago en la factura cuando no se sabe si la tarjeta es de crédito o de débito.',
    choices: { '04': '04 · Tarjeta de crédito', '28': '28 · Tarjeta de débito' },
  },
  invoice_form_oxxo: {
    label: 'OXXO',
    help: 'Forma de pago en la factura de lo que se paga en OXXO o en otra tienda. Pregunta a tu contador.',
    choices: { '01': '01 · Efectivo', '31': '31 · Intermediario pagos' },
  },
  invoice_form_wallet: {
    label: 'PayPal y saldos',
    help: 'Forma de pago en la factura de lo que se paga con PayPal o con el saldo de una cuenta.',
    choices: { '31': '31 · Intermediario pagos', '06': '06 · Dinero electrónico', '03': '03 · Transferencia electrónica de fondos' },
  },
  invoice_form_other: {
    label: 'Otras formas de pago del estudio',
    help: 'Forma de pago en la factura de las que no son efectivo, terminal ni transferencia.',
    choices: Object.fromEntries(
      (['01', '02', '03', '04', '06', '08', '28', '31'] as const).map((code) => [code, `${code} · ${PAYMENT_FORMS[code]}`]),
    ),
  },
  tax_rate: { label: 'IVA', help: 'Tasa de IVA de lo que se vende. Cada cargo guarda la de su día.', unit: '%' },
  tax_included: {
    label: 'Precios con IVA',
    help: 'Si los precios ya incluyen el IVA. Si se apaga, los cargos se guardan sin IVA.',
  },
  cash_hold_hours: {
    depends_on: { key: 'cash_checkout_enabled', equals: true },
    label: 'Apartado en efectivo',
    help: 'Cuánto se guarda lo que se pagará en el estudio.',
    unit: 'horas',
  },
  payment_link_hours: {
    label: 'Enlaces de pago',
    help: 'Cuánto tiempo se puede pagar un enlace que envió recepción. Mientras tanto, lo que se vende queda apartado.',
    unit: 'horas',
  },
  refund_late_payments: {
    label: 'Devolver pagos tardíos',
    help: 'Devuelve solo lo que llega cuando ya no hay qué entregar.',
  },
  trial_once_per_customer: {
    label: 'Una prueba por persona',
    help: 'La segunda suscripción empieza pagada; un paquete de prueba devuelto no se compra otra vez.',
  },
  trial_once_per_card: {
    label: 'Una prueba por tarjeta',
    help: 'También entre cuentas distintas. Donde el procesador permite reconocer la tarjeta.',
  },
  subscription_grace_days: {
    depends_on: { key: 'subscriptions_enabled', equals: true },
    label: 'Días de gracia',
    help: 'Cuánto se reintenta una renovación que no se pagó.',
    unit: 'días',
  },
  renewal_notice_days: {
    depends_on: { key: 'subscriptions_enabled', equals: true },
    label: 'Aviso de renovación',
    help: 'Con cuánta anticipación se avisa el próximo cobro.',
    unit: 'días',
  },
} satisfies Partial<Record<SettingKey, SettingHelp>>
