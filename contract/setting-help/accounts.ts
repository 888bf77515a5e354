/** Help of the settings of accounts, profiles and messages (contract/setting-help.ts). */
import type { SettingKey } from '#contract/settings.ts'
import type { SettingHelp } from './entry.ts'

export const accountHelp = {
  // Identity
  firebaseConfig: {
    right: 'settings.code',
    type: 'object',
    label: 'Proyecto de Google',
    help: 'Configuración web de tu proyecto de Firebase; vacía: las cuentas del propio sistema.',
    danger: 'Con otro proyecto, o ninguno, nadie puede entrar con la cuenta que tenía.',
  },
  google_sign_in: { label: 'Continuar con Google', help: 'Solo con un proyecto de Google que lo permita.' },
  email_enumeration_protection: {
    label: 'No decir qué correos existen',
    help: 'Al entrar se dice lo mismo con un correo desconocido que con una contraseña equivocada.',
  },
  password_min_length: {
    danger: 'Quien cambie su contraseña tendrá que cumplirlo; las que ya existen siguen sirviendo.',
    label: 'Largo mínimo de la contraseña',
    help: 'Para contraseñas nuevas.',
    unit: 'caracteres',
  },
  password_max_length: {
    danger: 'Con un máximo menor, una contraseña larga ya no se puede elegir.',
    type: 'integer',
    label: 'Largo máximo de la contraseña',
    help: 'Vacío: sin máximo propio.',
    unit: 'caracteres',
  },
  password_lowercase: { label: 'Pedir minúsculas', help: 'La contraseña lleva al menos una minúscula.' },
  password_uppercase: { label: 'Pedir mayúsculas', help: 'La contraseña lleva al menos una mayúscula.' },
  password_numeric: { label: 'Pedir números', help: 'La contraseña lleva al menos un número.' },
  password_symbol: { label: 'Pedir símbolos', help: 'La contraseña lleva al menos un símbolo.' },
  staff_second_factor_required: {
    label: 'Verificación en dos pasos del equipo',
    help: 'Quien trabaja en el estudio la activa en /seguridad antes de usar las herramientas del equipo.',
    danger: 'Quien aún no la tiene, tú también, deja de ver las herramientas del equipo hasta que la active.',
  },
  staff_session_hours: {
    label: 'Horas de sesión del equipo',
    help: 'Tantas horas después de entrar, quien trabaja en el estudio vuelve a escribir su contraseña; también en un dispositivo compartido. A tus clientes no les cambia nada.',
    unit: 'horas',
  },

  // Messages
  messages_per_person_week: {
    label: 'Promociones por semana',
    help: 'Cuántos mensajes a muchos recibe una persona en siete días, a lo más. Los de su clase no cuentan.',
    unit: 'mensajes',
  },
  weekly_email: {
    label: 'Tu semana por correo',
    help: 'Cada lunes desde las 7 de la mañana, la propiedad recibe lo que pasó la semana anterior y hasta tres cosas por hacer.',
  },
  quiet_hours_start: {
    label: 'Silencio desde',
    help: 'Hora desde la que no se manda WhatsApp que pueda esperar, 0 a 23.',
    unit: 'hora',
  },
  quiet_hours_end: {
    label: 'Silencio hasta',
    help: 'Hora hasta la que no se manda WhatsApp que pueda esperar, 0 a 23.',
    unit: 'hora',
  },
  reminder_hours: { label: 'Recordatorio', help: 'Cuánto antes de la clase se recuerda.', unit: 'horas' },
  credit_notice_days: {
    label: 'Aviso de vencimiento',
    help: 'Cuánto antes se avisa de créditos que vencen.',
    unit: 'días',
  },
  message_channels: {
    type: 'matrix',
    label: 'Medios por aviso',
    help: 'Por qué medios va cada aviso, donde no va por los de costumbre.',
  },

  // Profile
  signup_form_id: {
    type: 'ref',
    ref: '/forms',
    label: 'Formulario de registro',
    help: 'Preguntas al crear la cuenta.',
  },
  profile_form_id: {
    type: 'ref',
    ref: '/forms',
    label: 'Formulario del perfil',
    help: 'Preguntas de "Mi Información".',
  },
  profile_required_to_reserve: {
    label: 'Perfil completo para reservar',
    help: 'Sin un perfil completo no se puede reservar.',
  },
} satisfies Partial<Record<SettingKey, SettingHelp>>
