import type { Config } from '#server/config.ts'
import type { Db } from '#server/platform/db.ts'
import type { SecretBox } from '#server/platform/secret-box.ts'
import { httpPush } from './http.ts'
import { openPushKeys } from './keys.ts'
import type { PushPort } from './port.ts'

/**
 * Web Push; to this machine only where the environment allows it, never in production (server/config.ts). Services refuse a contact without
 * https.
 */
export async function choosePush(
  config: Config,
  { db, secrets, publicUrl }: { db: Db; secrets: SecretBox; publicUrl: string },
): Promise<PushPort> {
  const contact = publicUrl.startsWith('https://') ? publicUrl : 'mailto:avisos@estudio.example'
  return httpPush({ keys: await openPushKeys(db, secrets), contact, allowLoopback: config.PUSH_LOOPBACK ?? false })
}
