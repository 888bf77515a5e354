/** The port to the push services of browsers (Web Push, RFC 8030): one notification to one device. Called after a commit, from a job. */

/** A device as its browser subscribed it. */
export interface PushDevice {
  /** Address of the device at its browser's push service. */
  endpoint: string
  /** Its public key, an uncompressed point of P-256, and its secret: base64url. */
  p256dh: string
  auth: string
}

/** What the service worker shows; it reads the same names (web/areas/site/offline.js). */
export interface PushNotification {
  title: string
  body: string
  /** Page of the site that a tap opens. */
  path: string
  /** A notification with the same tag takes the place of the earlier one. */
  tag: string
}

export interface Push extends PushDevice {
  notification: PushNotification
  /** How long the service stores it for a device that is off, in seconds. */
  ttl: number
  /** Whether it may wake the device at once. */
  isUrgent: boolean
}

/** The service will never take this message. */
export class PushRefused extends Error {}

/** The longest text that fits into a message with its title and path. */
export const PUSH_BODY_MAX = 300

export interface PushPort {
  /** The studio's key, with which browsers subscribe: base64url. */
  readonly publicKey: string
  /** Why a device cannot be notified, as a sentence; null when it can. */
  whyNotDevice(device: PushDevice): string | null
  /**
   * Hands a notification over. False: the device does not exist any more. Throws `PushRefused` when the service never will take it, any
   * other error when trying again makes sense: the same tag shows once.
   */
  send(push: Push): Promise<boolean>
}
