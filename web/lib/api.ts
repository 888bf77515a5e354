/**
 * The API in the browser: a typed client over the spec's paths, and its query keys. Only signed-in areas import this;
 * public pages get plain data from their loaders.
 */
import type { Client as EndpointClient, NestedClient } from '@orpc/client'
import type { GeneralUtils, ProcedureUtils } from '@orpc/tanstack-query'
import { MutationCache, QueryCache, QueryClient, useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import type { EndpointTree } from '#contract/endpoints-by-access.ts'
import { LANGUAGE_HEADER } from '#contract/language.ts'
import { branches, buildRequest, parseResponse } from './api-call.ts'
import { bearer, callSucceeded } from './bearer.ts'
import type { CallContext, Client } from './client.ts'
import { endpoints } from './customer-endpoints.ts'
import { alertFailure, isPassing, toFailure } from './errors.ts'
import { pageLanguage } from './language.ts'
import { currentSession, endSession, onSessionChange, type Session } from './session.ts'

/** Sends requests and supplies tokens; an interface, so that the rules below are tested without a browser. */
export interface Transport {
  fetch(request: Request): Promise<Response>
  bearer(renew?: boolean): Promise<string | null>
  callSucceeded(): void
  endSession(): Promise<void>
}

/** Sends a call with the bearer token. A 401 renews the token once; a second 401 ends the session, and the shell redirects to /entrar. */
export async function sendSigned(request: Request, transport: Transport): Promise<Response> {
  const token = await transport.bearer()
  if (!token) return transport.fetch(request)
  const retryRequest = request.clone()
  request.headers.set('authorization', `Bearer ${token}`)
  const answer = await transport.fetch(request)
  if (answer.status !== 401) {
    if (answer.ok) transport.callSucceeded()
    return answer
  }
  let fresh: string | null
  try {
    fresh = await transport.bearer(true)
  } catch (error) {
    // Network failure: the session may still be valid.
    if (isPassing(error)) return answer
    // The renewal was refused: the session has ended (password changed elsewhere, account closed).
    fresh = null
  }
  if (!fresh) {
    await transport.endSession()
    return answer
  }
  retryRequest.headers.set('authorization', `Bearer ${fresh}`)
  const retried = await transport.fetch(retryRequest)
  if (retried.status === 401) await transport.endSession()
  else if (retried.ok) transport.callSucceeded()
  return retried
}

const browserTransport: Transport = { fetch: (request) => fetch(request), bearer, callSucceeded, endSession }

/** The endpoints that can be called: those of customers, and on the pages of the administration those of the staff too. */
const callable: EndpointTree = { ...endpoints }

/** Adds endpoints to the callable ones; groups that exist in both are merged. */
export function addEndpoints(more: EndpointTree, to: EndpointTree = callable): void {
  for (const [name, node] of Object.entries(more)) {
    const known = to[name]
    if (typeof known !== 'object' || typeof node !== 'object') to[name] = node
    else {
      const group = { ...known }
      addEndpoints(node, group)
      to[name] = group
    }
  }
}

/** The method and path of an endpoint. */
function endpointAt(path: readonly string[]): string {
  let node: EndpointTree | string | undefined = callable
  for (const name of path) node = typeof node === 'object' ? node[name] : undefined
  if (typeof node !== 'string') throw new Error(`No endpoint ${path.join('.')} on this page`)
  return node
}

interface CallOptions {
  context?: CallContext
  signal?: AbortSignal | undefined
}

async function call(path: readonly string[], input: unknown, { context, signal }: CallOptions = {}): Promise<unknown> {
  const headers: Record<string, string> = context?.intention ? { 'idempotency-key': context.intention } : {}
  if (pageLanguage !== 'es-MX') headers[LANGUAGE_HEADER] = pageLanguage
  const request = buildRequest(endpointAt(path), input, { base: `${location.origin}/api`, headers, signal })
  return parseResponse(await sendSigned(request, browserTransport))
}

/** Typed calls: `await api.bookings.reserve(input, { context: { intention } })`. */
export const api = branches<Client>((path) => (input: unknown, options?: CallOptions) => call(path, input, options))

/** The part of the helpers of `@orpc/tanstack-query` that pages use. */
type Queries<Node extends NestedClient<CallContext>> =
  Node extends EndpointClient<CallContext, infer Input, infer Output, infer Failed>
    ? Pick<ProcedureUtils<CallContext, Input, Output, Failed>, 'queryKey' | 'queryOptions'> & GeneralUtils<Input>
    : { [Name in keyof Node]: Node[Name] extends NestedClient<CallContext> ? Queries<Node[Name]> : never } & GeneralUtils<unknown>

interface QueryInput extends CallOptions {
  input?: unknown
}

/** Query options and keys: `useQuery(queries.credits.list.queryOptions())`. */
export const queries = branches<Queries<Client>>((path) => {
  const key = (of: object = {}) => [path, of]
  const queryKey = ({ input }: QueryInput = {}) => key(input === undefined ? { type: 'query' } : { input, type: 'query' })
  return {
    key,
    queryKey,
    queryOptions: (options: QueryInput = {}) => ({
      queryFn: ({ signal }: { signal: AbortSignal }) => call(path, options.input, { ...options, signal }),
      ...options,
      queryKey: queryKey(options),
    }),
  }
})

declare module '@tanstack/react-query' {
  interface Register {
    /** `handled`: the page shows this failure itself, so no general alert is shown. */
    queryMeta: { handled?: boolean }
    mutationMeta: { handled?: boolean }
  }
}

let client: QueryClient | undefined

/** The page's cache of server state. It is cleared when another user signs in. */
export function browserQueries(): QueryClient {
  if (client) return client
  const queryClient = new QueryClient({
    queryCache: new QueryCache({ onError: (error, query) => query.meta?.handled || alertFailure(error) }),
    mutationCache: new MutationCache({ onError: (error, _input, _result, mutation) => mutation.meta?.handled || alertFailure(error) }),
    defaultOptions: {
      queries: { staleTime: 30_000, retry: (failures, error) => failures < 2 && isPassing(error) },
      // Fail at once without a connection. A queued payment or booking would be sent later, when the customer no longer expects it.
      mutations: { retry: false, networkMode: 'always' },
    },
  })
  const uidOf = (session: Session) => (session.state === 'signed-in' ? session.uid : null)
  let uid = uidOf(currentSession())
  onSessionChange((session) => {
    const current = uidOf(session)
    if (uid !== null && current !== uid) queryClient.clear()
    uid = current
  })
  client = queryClient
  return queryClient
}

/** A new idempotency key for one action of the user ("reserve this", "pay this"). */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(18))
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
}

const NO_INTENTION = { input: '', key: '' }

interface Outcome<Input, Answer> {
  onSuccess: (answer: Answer) => unknown
  onError: (error: unknown, input: Input) => unknown
  onSettled?: () => unknown
}

/**
 * A mutation that takes effect once however often it is sent. A retry with the same input after a lost answer reuses the idempotency key;
 * another input, or the same input after a success or a 4xx, gets a new key, because the server refuses one key with two inputs. The
 * calling component shows the failures.
 */
export function useIdempotentMutation<Input, Answer>(
  call: (input: Input, how: { context: CallContext }) => Promise<Answer>,
  then: Outcome<Input, Answer>,
) {
  const intention = useRef(NO_INTENTION)
  return useMutation({
    meta: { handled: true },
    mutationFn(input: Input) {
      const serialized = JSON.stringify(input)
      if (intention.current.input !== serialized) intention.current = { input: serialized, key: newIdempotencyKey() }
      return call(input, { context: { intention: intention.current.key } })
    },
    onSuccess(answer) {
      intention.current = NO_INTENTION
      return then.onSuccess(answer)
    },
    onError(error, input) {
      const { status } = toFailure(error)
      if (status >= 400 && status < 500) intention.current = NO_INTENTION
      return then.onError(error, input)
    },
    onSettled: then.onSettled,
  })
}
