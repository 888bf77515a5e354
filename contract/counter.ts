/** How staff say that money was received at the counter. */
import { id, singleLine } from './endpoint.ts'

export const received = {
  /** How it was paid; cash when nothing is said. */
  payment_method_id: id.nullish(),
  /** The location where it was received; with a single location nothing has to be said. */
  location_id: id.nullish(),
  /** What the slip of the terminal or the transfer says. */
  reference: singleLine(80).nullish(),
}
