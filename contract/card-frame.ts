/**
 * Messages between the checkout page and the processor's frames (postMessage). Card numbers exist only in the frame, which is of another
 * origin: the page gets a token, a brand and four digits (settled 13). Each side checks the other's origin.
 *
 * - `GET {frame origin}/sandbox/tarjeta?padre={origin of the page}`: the card fields.
 * - `GET {frame origin}/sandbox/3ds?secreto={clientSecret}&padre={origin of the page}`: the bank's challenge (3-D Secure).
 */

/** From the page to the card fields. */
export type ToCardFrame =
  /**
   * CSS variables only: colours, radius, height. Sent after `ready` and whenever the theme changes. `holder`: the customer's name, for the
   * name on the card while it is empty.
   */
  | { estudio: 'look'; variables: Record<string, string>; holder?: string }
  /** Requests a token for the typed card; the answer repeats `id`. */
  | { estudio: 'tokenize'; id: string }

/** From a frame to the page. */
export type FromCardFrame =
  | { estudio: 'ready' }
  /** After every change. `complete`: all fields are filled and well formed; `height` in CSS pixels. */
  | { estudio: 'state'; height: number; empty: boolean; complete: boolean }
  | { estudio: 'token'; id: string; token: string; brand: 'visa' | 'mastercard' | 'amex' | 'other'; last4: string }
  /** Escape was pressed in the fields: the dialog around them should close, as it does elsewhere. */
  | { estudio: 'escape' }
  /** No token could be created; the fields show the reason themselves. */
  | { estudio: 'refused'; id: string; message: string }
  /** Height of the bank's challenge in CSS pixels; sent after every change of its width. */
  | { estudio: 'size'; height: number }
  /** The bank's challenge ended. `message`: the sentence to show when it failed. */
  | { estudio: 'challenge'; outcome: 'done' | 'failed'; message?: string }
