/** A studio of a spec file's own in the second brand, changed as its owner would: through the API. */
import { IDENTITY_API_KEY, IDENTITY_PATH } from '#contract/identity.ts'
import { type OwnStudio, ownStudio } from './own-studio.ts'

/** Calls the API as a person; throws with the response when it is refused. */
export type ApiCall = <T = unknown>(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object) => Promise<T>

export interface SecondBrand extends OwnStudio {
  /** As the demo's owner. */
  owner: ApiCall
  /** Changes settings through the API. */
  change(settings: Record<string, unknown>): Promise<void>
  /** The text of the last email to an address; empty if there is none. */
  mailTo(email: string): Promise<string>
}

const OWNER = { email: 'homero@fragua.example', password: 'fragua-dueno' }

/** Starts the studio. */
export async function secondBrand(): Promise<SecondBrand> {
  const own = await ownStudio({ DEMO: 'fragua', REQUESTS_PER_MINUTE: '0' })
  const owner = callsOf(own.url, OWNER)
  return {
    ...own,
    owner,
    async change(settings) {
      await owner('PUT', '/appconfig', { settings: Object.entries(settings).map(([key, value]) => ({ key, value })) })
    },
    async mailTo(email) {
      const [mail] = await own.sql<{ text: string }>('select text from mail_outbox where "to" = $1 order by mail_id desc limit 1', [email])
      return mail?.text ?? ''
    },
  }
}

type Credentials = typeof OWNER

/** The API of a studio for a person, who is logged in at the first call. */
export function callsOf(url: string, credentials: Credentials): ApiCall {
  let token = ''
  return async (method, path, body) => {
    token ||= await logIn(url, credentials)
    const answer = await fetch(`${url}/api${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`)
    return JSON.parse(text)
  }
}

async function logIn(url: string, credentials: Credentials): Promise<string> {
  const answer = await fetch(`${url}${IDENTITY_PATH}/v1/accounts:signInWithPassword?key=${IDENTITY_API_KEY}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...credentials, returnSecureToken: true }),
  })
  const { idToken } = (await answer.json()) as { idToken?: string }
  if (!idToken) throw new Error(`${credentials.email} could not log in: ${answer.status}`)
  return idToken
}
