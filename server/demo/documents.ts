/** Texts shared by both demo studios. Examples, not legal advice: every studio provides its own. */
import type { DemoPage } from './brand.ts'

/** Terms of use: accepted before using the studio and at sign-up. */
export function terms(business: string, bring: string): DemoPage {
  return {
    slug: 'terminos-y-condiciones',
    title: 'Términos y condiciones',
    required: true,
    required_signup: true,
    source: `<h2>Reservaciones</h2>
<p>Las clases se reservan con crédito vigente. Puedes cancelar sin perderlo hasta 12 horas antes del inicio. Si llegas cinco minutos tarde, tu lugar puede darse a quien esté en lista de espera.</p>
<h2>Créditos</h2>
<p>Los créditos son personales y vencen en la fecha que indica tu paquete. Puedes usarlos para llevar invitados. No se cambian por dinero.</p>
<h2>Suscripciones</h2>
<p>Se renuevan solas. Te avisamos cinco días antes de cada cargo y puedes cancelarlas cuando quieras desde Mis Compras.</p>
<h2>Salud y cuidado</h2>
<p>Consulta con tu médico si tienes una lesión y avísale a tu coach antes de empezar. El equipo de ${business} se desinfecta después de cada clase; te pedimos usar ${bring}.</p>`,
  }
}

/** Privacy notice: accepted at sign-up. */
export function privacyNotice(business: string, address: string, email: string): DemoPage {
  return {
    slug: 'aviso-de-privacidad',
    title: 'Aviso de privacidad',
    required_signup: true,
    source: `<p>${business}, con domicilio en ${address}, es responsable de los datos personales que nos das.</p>
<h2>Para qué los usamos</h2>
<ul><li>Para apartar tu lugar y avisarte de cambios en tus clases.</li><li>Para cobrar y facturar tus compras.</li><li>Para cuidarte: si nos cuentas de una lesión, tu coach lo sabe.</li></ul>
<h2>Lo que no hacemos</h2>
<p>No vendemos tus datos. No guardamos números de tarjeta: el pago lo procesa un proveedor certificado.</p>
<h2>Tus derechos</h2>
<p>Para ver, corregir o borrar tus datos, o para oponerte a su uso, escribe a <a href="mailto:${email}">${email}</a>. Respondemos en veinte días hábiles.</p>`,
  }
}

/** Frequently asked questions, as pairs of question and answer. */
export function questions(pairs: readonly (readonly [question: string, answer: string])[]): DemoPage {
  return {
    slug: 'preguntas-frecuentes',
    title: 'Preguntas frecuentes',
    source: pairs.map(([question, answer]) => `<h2>${question}</h2>\n<p>${answer}</p>`).join('\n'),
  }
}
