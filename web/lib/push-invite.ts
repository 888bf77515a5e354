/** Offers notifications on this device at the moment they are of use: after a booking or joining a waitlist, once per device. */

/** Dispatched on the window; the frame of the signed-in area listens and then loads the dialog. */
export const PUSH_INVITE = 'estudio:notificaciones'
/** Noted once the offer was shown. */
const OFFERED = 'estudio:notificaciones-ofrecidas'

/** `what`: for what they are offered. Nothing where the browser has none, or the person has already decided. */
export function offerPush(what: 'booking' | 'waitlist'): void {
  if (!('PushManager' in window && 'Notification' in window) || Notification.permission !== 'default') return
  try {
    if (localStorage.getItem(OFFERED)) return
    localStorage.setItem(OFFERED, '1')
  } catch {
    // Without storage it would be offered after every booking.
    return
  }
  dispatchEvent(new CustomEvent(PUSH_INVITE, { detail: what }))
}
