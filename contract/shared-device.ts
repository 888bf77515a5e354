/**
 * A device that several staff members share, such as the iPad of the front desk: one signs in with email and password, the others choose
 * themselves and type their PIN (docs/domain.md, E15 and E16).
 */
import * as z from 'zod'
import { done, endpoint, id, refusals } from './endpoint.ts'
import { role } from './rights.ts'

/** Wrong PINs of a person after which a device makes them wait: others can still unlock it, and the person other devices. */
export const PIN_ATTEMPTS = 5
/** Wrong PINs of a person in a row, over all devices, after which only a new PIN helps. */
export const PIN_ATTEMPTS_EVERYWHERE = 20
/** Minutes without use after which a shared device requires the PIN again. */
export const DEVICE_IDLE_MINUTES = 5

/** Whether a PIN is easily guessed: one digit repeated, or consecutive digits. */
export function isEasyPin(pin: string): boolean {
  const steps = [...pin].slice(1).map((digit, at) => Number(digit) - Number(pin[at]))
  return steps.every((step) => step === steps[0] && Math.abs(step) <= 1)
}

const pin = z.string().regex(/^\d{4,6}$/, 'El PIN lleva de 4 a 6 números.')

const devicePerson = z.object({
  staff_id: id,
  name: z.string(),
  role,
  photo: z.string().nullable().describe('Dirección de su foto de coach.'),
})
export type DevicePerson = z.infer<typeof devicePerson>

const deviceState = z.object({
  is_shared: z.boolean().describe('Si varias personas del equipo comparten este dispositivo.'),
  person: devicePerson.nullable().describe('Quién lo usa ahora; null: nadie ha escrito su PIN, o no se comparte.'),
  people: z.array(devicePerson).describe('Quiénes pueden usarlo: los que tienen PIN. Vacío si no se comparte.'),
  kiosk: z
    .object({
      location_id: id.nullable().describe('Dónde está; null: donde trabaja quien lo abrió.'),
      location: z.string().nullable().describe('El nombre de ese estudio.'),
    })
    .nullable()
    .describe(
      'Si está en modo kiosco: los clientes registran su llegada, y nada más se puede hacer hasta que alguien del equipo escribe su PIN.',
    ),
})
export type DeviceState = z.infer<typeof deviceState>

const pinState = z.object({
  has_pin: z.boolean().describe('Si ya elegí un PIN.'),
  is_locked: z.boolean().describe('Si se escribió mal demasiadas veces y hay que elegir otro.'),
})
export type PinState = z.infer<typeof pinState>

export const sharedDevice = {
  /**
   * Whether this session's device is shared, its current person, and the persons who may use it. Also for a device that waits for a PIN.
   */
  state: endpoint('GET', '/admin/device', 'staff-session', 'Equipo', 'Este dispositivo, si se comparte').output(deviceState),
  /**
   * Shares the device of this session until it signs out; afterwards it waits for a PIN, and every act is that of the person whose PIN was
   * typed, with at most the rights of reception. PIN_NONE: the caller has none. Idempotent.
   */
  share: endpoint('POST', '/admin/device', 'staff', 'Equipo', 'Compartir este dispositivo')
    .errors(refusals('PIN_NONE'))
    .output(deviceState),
  /**
   * Changes the person on a shared device, in this browser only: a cookie has its new key. PIN_WRONG with the attempts `left`;
   * TOO_MANY_REQUESTS after five on this device; PIN_LOCKED after twenty in a row on any; NOT_FOUND: not staff, or without a PIN.
   */
  choose: endpoint('PUT', '/admin/device/person', 'staff-session', 'Equipo', 'Cambiar de persona con su PIN')
    .input(z.object({ staff_id: id, pin: pin.describe('Su PIN, de 4 a 6 números.') }))
    .errors(refusals('NOT_FOUND', 'PIN_WRONG', 'PIN_LOCKED', 'TOO_MANY_REQUESTS'))
    .output(deviceState),
  /** Makes a shared device wait for a PIN. Idempotent. */
  lock: endpoint('DELETE', '/admin/device/person', 'staff-session', 'Equipo', 'Bloquear el dispositivo compartido').output(deviceState),
  /**
   * Puts the device of this session into kiosk mode: customers check themselves in (`kiosk.checkin`) and nothing else works, until a staff
   * member types their PIN. Shares the device if it is not shared yet. PIN_NONE: the caller has none.
   */
  openKiosk: endpoint('POST', '/admin/device/kiosk', 'staff:roster.all', 'Equipo', 'Poner este dispositivo en modo kiosco')
    .input(z.object({ location_id: id.nullish().describe('Dónde está; sin él, donde trabaja quien lo abre.') }))
    .errors(refusals('PIN_NONE', 'NOT_FOUND'))
    .output(deviceState),
  /** Whether the caller has a PIN. */
  pin: endpoint('GET', '/admin/pin', 'staff', 'Equipo', 'Mi PIN').output(pinState),
  /** Sets the caller's PIN, which unlocks it. The sign-in must be recent; never on a shared device. INVALID_INPUT: easy to guess. */
  setPin: endpoint('PUT', '/admin/pin', 'staff', 'Equipo', 'Elegir mi PIN')
    .input(
      z.object({
        pin: pin.refine((value) => !isEasyPin(value), 'Elige un PIN menos fácil de adivinar.').describe('De 4 a 6 números.'),
      }),
    )
    .errors(refusals('RECENT_SIGN_IN_REQUIRED', 'DEVICE_SHARED'))
    .output(pinState),
  /** Removes the caller's PIN: shared devices no longer offer them. Never on a shared device. */
  removePin: endpoint('DELETE', '/admin/pin', 'staff', 'Equipo', 'Quitar mi PIN').errors(refusals('DEVICE_SHARED')).output(done),
}
