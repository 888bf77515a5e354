/** Fields with which staff record money received at the counter. */
import * as z from 'zod'
import { id, singleLine } from './endpoint.ts'

/** The card data on the slip of a terminal (`payment_terminal_fields_required`). */
export const terminalSlip = {
  card_brand: singleLine(40).nullish().describe('Marca de la tarjeta, con terminal.'),
  last_digits: z
    .string()
    .regex(/^\d{4}$/, 'Escribe los últimos cuatro dígitos.')
    .nullish()
    .describe('Últimos cuatro dígitos de la tarjeta, con terminal.'),
  authorisation: singleLine(40).nullish().describe('Número de autorización, con terminal.'),
}

export const received = {
  /** The payment method; default: cash. */
  payment_method_id: id.nullish(),
  /** The location where it was received; optional for a studio with a single location. */
  location_id: id.nullish(),
  /** Reference number on the terminal's slip or of the transfer. */
  reference: singleLine(80).nullish(),
  ...terminalSlip,
}
