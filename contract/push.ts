/** Devices that get notifications (Web Push; docs/domain.md M14 to M16). */
import * as z from 'zod'
import { done, endpoint, refusals } from './endpoint.ts'

/** Longest address of a device; those of the known services have less than 500 characters. */
const ENDPOINT_MAX = 1_000
const base64url = (bytes: number) =>
  z.string().regex(new RegExp(`^[A-Za-z0-9_-]{${Math.ceil((bytes * 4) / 3)}}$`), 'Las llaves de este dispositivo no sirven.')
const address = z.string().min(1).max(ENDPOINT_MAX).describe('La dirección del dispositivo en el servicio de su navegador.')
const auth = base64url(16)
const device = z.object({
  endpoint: address,
  p256dh: base64url(65).describe('La llave pública del dispositivo.'),
  auth: auth.describe('El secreto del dispositivo.'),
})

export const push = {
  /** The studio's key, with which a browser subscribes, and the account's devices. */
  devices: endpoint('GET', '/push_devices', 'identity', 'Mensajes', 'Mis dispositivos con notificaciones')
    .errors(refusals('DEVICE_SHARED'))
    .output(
      z.object({
        key: z.string().describe('La llave pública del estudio, con la que el navegador se suscribe.'),
        endpoints: z.array(z.string()).describe('Las direcciones de los dispositivos de la cuenta.'),
      }),
    ),
  /**
   * Adds this device, or moves it to this account: a device gets the notifications of one account. It ends with the session of the token.
   * INVALID_INPUT: its address is not on the public internet, or its keys are none.
   */
  add: endpoint('PUT', '/push_devices', 'identity', 'Mensajes', 'Recibir notificaciones en este dispositivo')
    .input(device)
    .errors(refusals('DEVICE_SHARED'))
    .output(done),
  /**
   * A browser has renewed the subscription of its device: the new address takes the place of the old one, whose secret is the permission,
   * because the service worker that calls it has no token. Of a device that gets none nothing changes. INVALID_INPUT as in `add`.
   */
  renew: endpoint('POST', '/push_devices/renew', 'public', 'Mensajes', 'Renovar la dirección de un dispositivo')
    .input(
      z.object({
        old: z.object({ endpoint: address, auth: auth.describe('Su secreto.') }).describe('La suscripción que terminó.'),
        renewed: device.describe('La suscripción que tomó su lugar.'),
      }),
    )
    .output(done),
  /** Ends the notifications of a device of the account; one that is not the account's is ignored. */
  remove: endpoint('POST', '/push_devices/remove', 'identity', 'Mensajes', 'No recibir notificaciones en este dispositivo')
    .input(z.object({ endpoint: address }))
    .errors(refusals('DEVICE_SHARED'))
    .output(done),
}
