/** Fields with which staff record money received at the counter. */
import { id, singleLine } from './endpoint.ts'

export const received = {
  /** The payment method; default: cash. */
  payment_method_id: id.nullish(),
  /** The location where it was received; optional for a studio with a single location. */
  location_id: id.nullish(),
  /** Reference number on the terminal's slip or of the transfer. */
  reference: singleLine(80).nullish(),
}
