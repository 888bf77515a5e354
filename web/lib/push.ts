/** Notifications on this device (Web Push). Loaded when they are shown or offered, never with a page. */
import { api } from './api.ts'
import { withCache } from './offline.ts'

/** Where the service worker finds the device that it renews; repeated there (areas/site/offline.js). */
const DEVICE = '/sin-conexion/dispositivo'

/** `install`: only after the page was added to the home screen (iPhone, iPad). `blocked`: the person refused them in the browser. */
export type PushState = 'missing' | 'install' | 'blocked' | 'off' | 'on'

const isApple = () => /iPhone|iPad/.test(navigator.userAgent)

async function currentSubscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration()
  return (await registration?.pushManager.getSubscription()) ?? null
}

/** How it is now, by the browser and by the account. */
export async function readPushState(): Promise<PushState> {
  if (!('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window)) return isApple() ? 'install' : 'missing'
  if (Notification.permission === 'denied') return 'blocked'
  const subscription = await currentSubscription()
  if (!subscription || Notification.permission !== 'granted') return 'off'
  const { endpoints } = await api.push.devices()
  return endpoints.includes(subscription.endpoint) ? 'on' : 'off'
}

const bytesOf = (base64url: string) => Uint8Array.from(atob(base64url.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0))

/** Subscribes with the studio's key; a subscription with another key, of a studio whose key was lost, is replaced. */
async function subscribe(key: string): Promise<PushSubscription> {
  const { pushManager } = await navigator.serviceWorker.ready
  const options = { userVisibleOnly: true, applicationServerKey: bytesOf(key) }
  try {
    return await pushManager.subscribe(options)
  } catch (error) {
    const other = await pushManager.getSubscription()
    if (!other) throw error
    await other.unsubscribe()
    return pushManager.subscribe(options)
  }
}

/** Requests the browser's permission and adds this device to the account. Call it during the tap: browsers show their prompt only then. */
export async function switchPushOn(): Promise<PushState> {
  const permission = await Notification.requestPermission()
  if (permission !== 'granted') return permission === 'denied' ? 'blocked' : 'off'
  const { key } = await api.push.devices()
  const { endpoint = '', keys: { p256dh = '', auth = '' } = {} } = (await subscribe(key)).toJSON()
  await api.push.add({ endpoint, p256dh, auth })
  await withCache((cache) => cache.put(DEVICE, Response.json({ endpoint, auth, key })))
  return 'on'
}

/** Takes this device from the account, and ends its subscription. */
export async function switchPushOff(): Promise<PushState> {
  const subscription = await currentSubscription()
  if (subscription) {
    await api.push.remove({ endpoint: subscription.endpoint })
    await subscription.unsubscribe()
    await withCache((cache) => cache.delete(DEVICE))
  }
  return 'off'
}
