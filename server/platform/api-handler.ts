/** The contract's endpoints on Fastify: oRPC's own OpenAPI handler, put together from its parts with a serializer that copies nothing. */
import { StandardOpenAPICodec, StandardOpenAPIMatcher } from '@orpc/openapi/standard'
import { StandardBracketNotationSerializer, StandardOpenAPIJsonSerializer, StandardOpenAPISerializer } from '@orpc/openapi-client/standard'
import type { AnyRouter, Context } from '@orpc/server'
import { FastifyHandler } from '@orpc/server/fastify'
import { StandardHandler } from '@orpc/server/standard'

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

export class ApiHandler<C extends Context> extends FastifyHandler<C> {
  readonly #matcher: StandardOpenAPIMatcher

  constructor(router: AnyRouter) {
    const serializer = new StandardOpenAPISerializer(new AnswersAreJson(), new StandardBracketNotationSerializer())
    const matcher = new StandardOpenAPIMatcher()
    super(
      new StandardHandler(router, matcher, new StandardOpenAPICodec(serializer), {
        // HEAD is GET whose body Node keeps back (RFC 9110, 9.3.2).
        rootInterceptors: [
          ({ next, ...asked }) =>
            next({ ...asked, request: asked.request.method === 'HEAD' ? { ...asked.request, method: 'GET' } : asked.request }),
        ],
      }),
    )
    this.#matcher = matcher
  }

  /** The methods that the contract has for a path below the prefix; empty: there is no such path. */
  async methodsOf(path: `/${string}`): Promise<string[]> {
    const found = await Promise.all(METHODS.map(async (method) => ((await this.#matcher.match(method, path)) ? [method] : [])))
    return found.flat()
  }
}
