/** Serves the contract's endpoints over HTTP: oRPC's OpenAPI handler, assembled from its parts with a serializer that does not copy. */
import { StandardOpenAPICodec, StandardOpenAPIMatcher } from '@orpc/openapi/standard'
import { StandardBracketNotationSerializer, StandardOpenAPIJsonSerializer, StandardOpenAPISerializer } from '@orpc/openapi-client/standard'
import type { AnyRouter, Context } from '@orpc/server'
import { StandardHandler } from '@orpc/server/standard'
import type { FastifyInstance } from 'fastify'
import { withNumbers } from './written-numbers.ts'

/**
 * oRPC's serializer walks and copies every response to convert dates, sets and the like to JSON: two fifths of all memory that the endpoint
 * for a week of classes allocated. Output that the contract's schemas have parsed is JSON already; only a file (Blob) still needs
 * converting.
 */
class AnswersAreJson extends StandardOpenAPIJsonSerializer {
  override serialize(data: unknown): ReturnType<StandardOpenAPIJsonSerializer['serialize']> {
    return data instanceof Blob ? super.serialize(data) : [data, false]
  }
}

const METHODS = ['GET', 'POST', 'PUT', 'DELETE'] as const

/** Independent of the server: oRPC's `FastifyHandler` or `FetchHandler` adapts it. */
export class ApiHandler<C extends Context> extends StandardHandler<C> {
  readonly #matcher: StandardOpenAPIMatcher

  constructor(router: AnyRouter) {
    const serializer = new StandardOpenAPISerializer(new AnswersAreJson(), new StandardBracketNotationSerializer())
    const matcher = new StandardOpenAPIMatcher()
    super(router, matcher, new StandardOpenAPICodec(serializer), {
      // HEAD runs as GET; Node omits the body of the response (RFC 9110, 9.3.2).
      rootInterceptors: [
        ({ next, ...call }) =>
          next({ ...call, request: call.request.method === 'HEAD' ? { ...call.request, method: 'GET' } : call.request }),
      ],
      clientInterceptors: [
        ({ next, ...options }) => next({ ...options, input: withNumbers(options.procedure['~orpc'].inputSchema, options.input) }),
      ],
    })
    this.#matcher = matcher
  }

  /** The HTTP methods that the contract defines for a path below the prefix; empty when the path does not exist. */
  async methodsOf(path: `/${string}`): Promise<string[]> {
    const matches = await Promise.all(METHODS.map(async (method) => ((await this.#matcher.match(method, path)) ? [method] : [])))
    return matches.flat()
  }
}

/**
 * Returns a function that lists the methods of a path under /api, of the contract or of a route registered outside it, formatted for the
 * header `allow`; '' when the path does not exist. Call it before those other routes are registered.
 */
export function allowedMethods<C extends Context>(scope: FastifyInstance, endpoints: ApiHandler<C>): (path: string) => Promise<string> {
  const beside: { path: RegExp; methods: string[] }[] = []
  scope.addHook('onRoute', ({ url, method }) => {
    if (!url.includes('*'))
      beside.push({ path: new RegExp(`^${url.replace(/[.]/g, '\\.').replace(/:\w+/g, '[^/]+')}$`), methods: [method].flat() })
  })
  return async (path) => {
    const methods = new Set(await endpoints.methodsOf(`/${path.slice('/api/'.length)}`))
    for (const route of beside) if (route.path.test(path)) for (const method of route.methods) methods.add(method)
    if (methods.has('GET')) methods.add('HEAD')
    return [...methods].join(', ')
  }
}
