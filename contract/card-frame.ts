/**
 * What the checkout page and the processor's frames say to each other (postMessage). Card numbers live only in the frame, which comes from
 * another origin: the page gets a token, a brand and four digits (settled 13). Each side checks the other's origin.
 *
 * - `GET {frame origin}/sandbox/tarjeta?padre={origin of the page}`: the card fields.
 * - `GET {frame origin}/sandbox/3ds?secreto={clientSecret}&padre={origin of the page}`: the bank's question.
 */

/** From the page to the card fields. */
export type ToCardFrame =
  /** CSS variables and nothing else: colours, radius, height. Sent after `ready` and whenever the theme changes. */
  | { estudio: 'look'; variables: Record<string, string> }
  /** Asks for a token of what was typed; `id` comes back with the answer. */
  | { estudio: 'tokenize'; id: string }

/** From a frame to the page. */
export type FromCardFrame =
  | { estudio: 'ready' }
  /** After every change. `complete`: all fields are filled and well formed; `height` in CSS pixels. */
  | { estudio: 'state'; height: number; empty: boolean; complete: boolean }
  | { estudio: 'token'; id: string; token: string; brand: 'visa' | 'mastercard' | 'amex' | 'other'; last4: string }
  /** Escape was pressed in the fields: a dialog around them closes, as from anywhere else in it. */
  | { estudio: 'escape' }
  /** The fields could not give a token; they show why themselves. */
  | { estudio: 'refused'; id: string; message: string }
  /** How tall the bank's question is, in CSS pixels; after every change of its width. */
  | { estudio: 'size'; height: number }
  /** The bank's question was answered. `failed` carries the sentence to show. */
  | { estudio: 'challenge'; outcome: 'done' | 'failed'; message?: string }
