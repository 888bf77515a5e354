/**
 * The API in the browser: a typed client over the spec's paths, and its query keys. Only signed-in areas import this;
 * public pages get plain data from their loaders.
 */
import { createORPCClient } from '@orpc/client'
import type { AnyContractRouter } from '@orpc/contract'
import { OpenAPILink } from '@orpc/openapi-client/fetch'
import { createTanstackQueryUtils } from '@orpc/tanstack-query'
import { MutationCache, QueryCache, QueryClient, useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import type { EndpointTree } from '#contract/endpoints-by-access.ts'
import type { CallContext, Client } from './client.ts'
import { endpoints } from './customer-endpoints.ts'
import { alertFailure, failureOf, isPassing } from './errors.ts'
import { bearer, callSucceeded, endSession, onSessionChange } from './session.ts'

/** Who sends requests and tokens; apart, so that the rules below can be tried without a browser. */
export interface Transport {
  fetch(request: Request): Promise<Response>
  bearer(renew?: boolean): Promise<string | null>
  callSucceeded(): void
  endSession(): Promise<void>
}

/** Sends a call with the bearer token. A 401 renews the token once; a second one ends the session, and the shell goes to /entrar. */
export async function sendSigned(request: Request, by: Transport): Promise<Response> {
  const token = await by.bearer()
  if (!token) return by.fetch(request)
  const again = request.clone()
  request.headers.set('authorization', `Bearer ${token}`)
  const answer = await by.fetch(request)
  if (answer.status !== 401) {
    if (answer.ok) by.callSucceeded()
    return answer
  }
  let fresh: string | null
  try {
    fresh = await by.bearer(true)
  } catch (error) {
    // Nobody answered: the session may be as good as before.
    if (isPassing(error)) return answer
    // Refused: the session is over (password changed elsewhere, account closed).
    fresh = null
  }
  if (!fresh) {
    await by.endSession()
    return answer
  }
  again.headers.set('authorization', `Bearer ${fresh}`)
  const second = await by.fetch(again)
  if (second.status === 401) await by.endSession()
  else if (second.ok) by.callSucceeded()
  return second
}

const transport: Transport = { fetch: (request) => fetch(request), bearer, callSucceeded, endSession }

/** What can be called here: what customers call, and on the pages of the administration what the staff call. */
const callable: EndpointTree = { ...endpoints }

/** Adds endpoints to those that can be called; groups that both have are merged. */
export function addEndpoints(more: EndpointTree, to: EndpointTree = callable): void {
  for (const [name, node] of Object.entries(more)) {
    const known = to[name]
    if (!known || '~orpc' in known || '~orpc' in node) to[name] = node
    else {
      const group: EndpointTree = { ...known }
      addEndpoints(node as EndpointTree, group)
      to[name] = group
    }
  }
}

const link = new OpenAPILink<CallContext>(callable as unknown as AnyContractRouter, {
  url: () => `${location.origin}/api`,
  headers: ({ context }) => (context.intention ? { 'idempotency-key': context.intention } : {}),
  fetch: (request) => sendSigned(request, transport),
})

/** Calls: `await api.bookings.reserve(input, { context: { intention } })`. */
export const api: Client = createORPCClient(link)

/** Query options and keys: `useQuery(queries.credits.list.queryOptions())`. */
export const queries = createTanstackQueryUtils(api)

declare module '@tanstack/react-query' {
  interface Register {
    /** `handled`: the page shows this failure itself, so the general alert stays quiet. */
    queryMeta: { handled?: boolean }
    mutationMeta: { handled?: boolean }
  }
}

let client: QueryClient | undefined

/** The page's cache of server state. What one person saw is forgotten when another signs in. */
export function browserQueries(): QueryClient {
  if (client) return client
  const made = new QueryClient({
    queryCache: new QueryCache({ onError: (error, query) => query.meta?.handled || alertFailure(error) }),
    mutationCache: new MutationCache({ onError: (error, _input, _result, mutation) => mutation.meta?.handled || alertFailure(error) }),
    defaultOptions: {
      queries: { staleTime: 30_000, retry: (failures, error) => failures < 2 && isPassing(error) },
      // Without a connection it fails at once: kept back, a payment or a booking would happen by itself later, when nobody expects it.
      mutations: { retry: false, networkMode: 'always' },
    },
  })
  let who: string | null = null
  onSessionChange((session) => {
    const now = session.state === 'signed-in' ? session.uid : null
    if (who !== null && now !== who) made.clear()
    who = now
  })
  client = made
  return made
}

/** A key for one intention of a person ("reserve this", "pay this"). */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(18))
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
}

const NO_INTENTION = { ask: '', key: '' }

interface Outcome<Answer> {
  onSuccess: (answer: Answer) => unknown
  onError: (error: unknown) => unknown
  onSettled?: () => unknown
}

/**
 * A call that has one effect however often it is sent: asked again after a lost answer it carries the same key. Something else, or the
 * same after an answer, gets a key of its own: the server refuses one key with two inputs. Its failures are shown by whoever asks.
 */
export function useIdempotentMutation<Ask, Answer>(
  call: (input: Ask, how: { context: CallContext }) => Promise<Answer>,
  then: Outcome<Answer>,
) {
  const intention = useRef(NO_INTENTION)
  return useMutation({
    meta: { handled: true },
    mutationFn(input: Ask) {
      const asked = JSON.stringify(input)
      if (intention.current.ask !== asked) intention.current = { ask: asked, key: newIdempotencyKey() }
      return call(input, { context: { intention: intention.current.key } })
    },
    onSuccess(answer) {
      intention.current = NO_INTENTION
      return then.onSuccess(answer)
    },
    onError(error) {
      const { status } = failureOf(error)
      if (status >= 400 && status < 500) intention.current = NO_INTENTION
      return then.onError(error)
    },
    onSettled: then.onSettled,
  })
}
