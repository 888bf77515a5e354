/**
 * Kiosk mode: customers check themselves in on a device of the studio (docs/domain.md, Q8). Only a session that staff put into this mode
 * (contract/shared-device.ts) may call it.
 */
import * as z from 'zod'
import { endpoint, id, refusals, singleLine } from './endpoint.ts'
import { checkinResult } from './front-desk.ts'

/** A place that the customer at the kiosk may choose: first name only. */
export const kioskChoice = z.object({
  class_reservation_id: id,
  name: z.string().describe('Solo el nombre, sin apellidos.'),
  about: z.string().describe('La clase y su hora.'),
})
export type KioskChoice = z.infer<typeof kioskChoice>

export const kiosk = {
  /**
   * Checks a customer in: by what they scanned or typed (the code of a reservation, their telephone of ten digits, or their name), or by
   * the place that they chose. Names and telephones find only people with a place in a class that can be marked now. Reveals first names,
   * and no amounts. NOT_FOUND outside kiosk mode, DEVICE_LOCKED on a shared device that is locked, also for a copy of a kiosk's session.
   */
  checkin: endpoint('POST', '/admin/device/checkin', 'staff-session', 'Recepción', 'Registrar la propia llegada en el kiosco')
    .input(
      z
        .object({
          typed: singleLine(500).optional().describe('Lo que se leyó del código o se escribió: código, teléfono o nombre.'),
          class_reservation_id: id.optional().describe('El lugar que se eligió.'),
        })
        .refine((input) => (input.typed === undefined) !== (input.class_reservation_id === undefined), {
          message: 'Di qué se leyó, o qué lugar se eligió.',
          path: ['typed'],
        }),
    )
    .errors(refusals('NOT_FOUND', 'DEVICE_LOCKED', 'TOO_MANY_REQUESTS'))
    .output(
      z.object({
        result: checkinResult,
        message: z.string().describe('Lo que lee el cliente.'),
        name: z.string().nullable().describe('Su nombre, sin apellidos; null si no se encontró.'),
        about: z.string().nullable().describe('Su clase, hora y lugar, cuando llegó.'),
        choices: z.array(kioskChoice).describe('Entre cuáles elegir; vacío si no hay que hacerlo.'),
      }),
    ),
}
