/** The contract's endpoints over HTTP: oRPC's own OpenAPI handler, put together from its parts with a serializer that copies nothing. */
import { StandardOpenAPICodec, StandardOpenAPIMatcher } from '@orpc/openapi/standard'
import { StandardBracketNotationSerializer, StandardOpenAPIJsonSerializer, StandardOpenAPISerializer } from '@orpc/openapi-client/standard'
import type { AnyRouter, Context } from '@orpc/server'
import { StandardHandler } from '@orpc/server/standard'
import type { FastifyInstance } from 'fastify'
import { withNumbers } from './written-numbers.ts'

/**
 * oRPC's serializer walks every answer to turn dates, sets and the like into JSON, and copies it on the way: two fifths of all that a week of
 * classes allocated. The contract's answers are JSON when its schemas have parsed them; only a file is something else.
 */
class AnswersAreJson extends StandardOpenAPIJsonSerializer {
  override serialize(data: unknown): ReturnType<StandardOpenAPIJsonSerializer['serialize']> {
    return data instanceof Blob ? super.serialize(data) : [data, false]
  }
}

const METHODS = ['GET', 'POST', 'PUT', 'DELETE'] as const

/** For any server: oRPC's `FastifyHandler` and `FetchHandler` put it on theirs. */
export class ApiHandler<C extends Context> extends StandardHandler<C> {
  readonly #matcher: StandardOpenAPIMatcher

  constructor(router: AnyRouter) {
    const serializer = new StandardOpenAPISerializer(new AnswersAreJson(), new StandardBracketNotationSerializer())
    const matcher = new StandardOpenAPIMatcher()
    super(router, matcher, new StandardOpenAPICodec(serializer), {
      // HEAD is GET whose body Node keeps back (RFC 9110, 9.3.2).
      rootInterceptors: [
        ({ next, ...asked }) =>
          next({ ...asked, request: asked.request.method === 'HEAD' ? { ...asked.request, method: 'GET' } : asked.request }),
      ],
      clientInterceptors: [
        ({ next, ...asked }) => next({ ...asked, input: withNumbers(asked.procedure['~orpc'].inputSchema, asked.input) }),
      ],
    })
    this.#matcher = matcher
  }

  /** The methods that the contract has for a path below the prefix; empty: there is no such path. */
  async methodsOf(path: `/${string}`): Promise<string[]> {
    const found = await Promise.all(METHODS.map(async (method) => ((await this.#matcher.match(method, path)) ? [method] : [])))
    return found.flat()
  }
}

/**
 * The methods that an address under /api has, of the contract or of a route beside it, as the header `allow` lists them; '' = there is no such
 * address. Call it before those routes are registered.
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
