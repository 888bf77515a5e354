/** The events that the studio sends messages about and the channels of each, without schemas. docs/domain.md, "Messages". */

/** Channels of a message. `app`: the notifications in the customer's own area. */
export const CHANNELS = ['mail', 'whatsapp', 'app'] as const
export type Channel = (typeof CHANNELS)[number]

interface Event {
  /** Default channels (setting `message_channels` overrides them). */
  channels: readonly Channel[]
  /** The recipient may switch it off, together with the others of its kind. */
  optional?: true
  /** The recipient requested this message, so that WhatsApp needs no other consent. */
  asked?: true
}

const table = {
  reservation_confirmed: { channels: ['mail', 'whatsapp', 'app'] },
  reservation_reminder: { channels: ['mail', 'whatsapp', 'app'], optional: true },
  reservation_cancelled: { channels: ['mail', 'app'] },
  class_cancelled: { channels: ['mail', 'whatsapp', 'app'] },
  class_restored: { channels: ['mail', 'whatsapp', 'app'] },
  class_changed: { channels: ['mail', 'whatsapp', 'app'] },
  waitlist_open: { channels: ['whatsapp', 'mail', 'app'], asked: true },
  waitlist_offer: { channels: ['whatsapp', 'mail', 'app'], asked: true },
  waitlist_booked: { channels: ['whatsapp', 'mail', 'app'], asked: true },
  waitlist_skipped: { channels: ['mail', 'app'], asked: true },
  no_show_warning: { channels: ['mail', 'app'] },
  penalty: { channels: ['mail', 'whatsapp', 'app'] },
  penalty_forgiven: { channels: ['mail', 'app'] },
  payment_refunded: { channels: ['mail', 'app'] },
  refund_owed: { channels: ['mail', 'app'] },
  renewal_notice: { channels: ['mail', 'app'] },
  payment_failed: { channels: ['mail', 'whatsapp', 'app'] },
  subscription_ended: { channels: ['mail', 'app'] },
  subscription_paused: { channels: ['mail', 'app'] },
  card_changed: { channels: ['mail', 'app'] },
  credit_expiring: { channels: ['mail', 'app'], optional: true },
  video_rating: { channels: ['mail'], asked: true },
} as const satisfies Record<string, Event>

/** An event that messages are sent about. */
export type MessageEvent = keyof typeof table

export const MESSAGE_EVENTS = Object.keys(table) as MessageEvent[]
/** The matrix of events and channels with its defaults. */
export const messageEvents: Readonly<Record<MessageEvent, Event>> = table
