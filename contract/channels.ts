/** The events that the studio sends messages about and the channels of each, without schemas. docs/domain.md, "Messages". */

/** Channels of a message. `app`: the notifications in the customer's own area; `push`: on the devices where the person switched them on. */
export const CHANNELS = ['mail', 'whatsapp', 'push', 'app'] as const
export type Channel = (typeof CHANNELS)[number]

/** Channels of what the studio writes to many. */
export const BROADCAST_CHANNELS = ['mail', 'whatsapp', 'app'] as const satisfies readonly Channel[]
export type BroadcastChannel = (typeof BROADCAST_CHANNELS)[number]

interface Event {
  /** Default channels (setting `message_channels` overrides them). */
  channels: readonly Channel[]
  /** The recipient may switch it off, together with the others of its kind. */
  optional?: true
  /** The recipient requested this message, so that WhatsApp needs no other consent. */
  asked?: true
  /** Its email is always sent: it is about the recipient's place, money or card (M12). */
  always?: true
}

const table = {
  reservation_confirmed: { channels: ['mail', 'whatsapp', 'app'] },
  reservation_reminder: { channels: ['mail', 'whatsapp', 'push', 'app'], optional: true },
  reservation_cancelled: { channels: ['mail', 'app'] },
  class_cancelled: { channels: ['mail', 'whatsapp', 'push', 'app'], always: true },
  class_restored: { channels: ['mail', 'whatsapp', 'push', 'app'], always: true },
  class_changed: { channels: ['mail', 'whatsapp', 'push', 'app'], always: true },
  waitlist_open: { channels: ['whatsapp', 'mail', 'push', 'app'], asked: true },
  waitlist_offer: { channels: ['whatsapp', 'mail', 'push', 'app'], asked: true },
  waitlist_booked: { channels: ['whatsapp', 'mail', 'push', 'app'], asked: true },
  waitlist_skipped: { channels: ['mail', 'app'], asked: true },
  no_show_warning: { channels: ['mail', 'app'] },
  penalty: { channels: ['mail', 'whatsapp', 'app'] },
  penalty_forgiven: { channels: ['mail', 'app'] },
  payment_refunded: { channels: ['mail', 'app'], always: true },
  refund_owed: { channels: ['mail', 'app'], always: true },
  renewal_notice: { channels: ['mail', 'app'], always: true },
  payment_failed: { channels: ['mail', 'whatsapp', 'push', 'app'], always: true },
  subscription_ended: { channels: ['mail', 'app'], always: true },
  subscription_paused: { channels: ['mail', 'app'] },
  card_changed: { channels: ['mail', 'app'], always: true },
  invoice_issued: { channels: ['mail', 'app'] },
  invoice_cancelled: { channels: ['mail', 'app'] },
  credit_expiring: { channels: ['mail', 'app'], optional: true },
  video_rating: { channels: ['mail'], asked: true },
  account_invite: { channels: ['mail'], asked: true, always: true },
  weekly_email: { channels: ['mail'] },
  export_ready: { channels: ['mail'] },
  pay_approved: { channels: ['mail'] },
  /** To staff who enabled it, on their devices. */
  staff_tasks: { channels: ['push'] },
  broadcast: { channels: ['mail', 'whatsapp', 'app'] },
} as const satisfies Record<string, Event>

/** An event that messages are sent about. */
export type MessageEvent = keyof typeof table

/** Events whose messages are for staff, not for customers. */
const STAFF_EVENTS = ['weekly_email', 'export_ready', 'pay_approved', 'staff_tasks'] as const

/** An event whose messages to customers are sent automatically, so that their texts are templates. */
export type AutomaticEvent = Exclude<MessageEvent, 'broadcast' | (typeof STAFF_EVENTS)[number]>

export const isAutomatic = (event: MessageEvent): event is AutomaticEvent =>
  event !== 'broadcast' && !STAFF_EVENTS.some((staffEvent) => staffEvent === event)

export const MESSAGE_EVENTS = Object.keys(table) as MessageEvent[]
export const AUTOMATIC_EVENTS = MESSAGE_EVENTS.filter(isAutomatic)
/** The matrix of events and channels with its defaults. */
export const messageEvents: Readonly<Record<MessageEvent, Event>> = table

/** Whether a channel of an event cannot be switched off (M12). */
export const isAlwaysSent = (event: MessageEvent, channel: Channel): boolean => channel === 'mail' && messageEvents[event].always === true
