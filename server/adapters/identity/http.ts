/**
 * The service over HTTP, for the unmodified SDK: under `/identidad`, and under Google's host names as first path segment for clients in
 * emulator mode. A client fault is JSON in Google's format; a fault of ours or overload is not JSON, because the SDK signs its user out
 * after any JSON error of the lookup at page load.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { IDENTITY_API_KEY, IDENTITY_PATH } from '#contract/identity.ts'
import { isPassing } from '#server/platform/db.ts'
import { addressGroup } from '#server/platform/throttle.ts'
import { createAuthUri, lookup, remove, update } from './account.ts'
import { type Body, parseBody, parseForm } from './body.ts'
import { authorizedDomains, resetPassword, sendOobCode } from './codes.ts'
import { envelope, IdentityFault, identityFault, Overloaded } from './fault.ts'
import { ALGORITHM } from './keys.ts'
import { passwordPolicy } from './password-policy.ts'
import { createRecoveryCodes, finalizeEnrolment, finalizeSignIn, startEnrolment, withdrawFactor } from './second-factor.ts'
import type { Operation, Service } from './service.ts'
import { refresh, signInWithEmailLink, signInWithPassword, signUp } from './sign-in.ts'

const BODY_LIMIT = 64 * 1024

/** Sign-in with an identity provider works in Google mode only (settled 10). */
const signInWithIdp: Operation = async () => {
  throw identityFault('OPERATION_NOT_ALLOWED')
}

const OPERATIONS: Record<string, Operation> = {
  '/v1/accounts:signUp': signUp,
  '/v1/accounts:signInWithPassword': signInWithPassword,
  '/v1/accounts:signInWithEmailLink': signInWithEmailLink,
  '/v1/accounts:signInWithIdp': signInWithIdp,
  '/v1/accounts:lookup': lookup,
  '/v1/accounts:update': update,
  '/v1/accounts:delete': remove,
  '/v1/accounts:createAuthUri': createAuthUri,
  '/v1/accounts:sendOobCode': sendOobCode,
  '/v1/accounts:resetPassword': resetPassword,
  '/v2/accounts/mfaEnrollment:start': startEnrolment,
  '/v2/accounts/mfaEnrollment:finalize': finalizeEnrolment,
  '/v2/accounts/mfaEnrollment:withdraw': withdrawFactor,
  '/v2/accounts/mfaSignIn:finalize': finalizeSignIn,
  '/v2/accounts/mfaRecoveryCodes:create': createRecoveryCodes,
}
const TOKEN_PATH = '/v1/token'

/** The path of every operation, for tests that must cover all of them. */
export const operationPaths: readonly string[] = [...Object.keys(OPERATIONS), TOKEN_PATH]

/** GET endpoints that a page reads before sign-in. */
const ANSWERS: Record<string, (service: Service) => object> = {
  '/v1/projects': (service) => ({ projectId: service.source.audience, authorizedDomains: authorizedDomains(service, service.settings()) }),
  '/v2/passwordPolicy': (service) => passwordPolicy(service.settings()),
  // No key on purpose: with one the SDK would load Google's script.
  '/v2/recaptchaConfig': () => ({
    recaptchaEnforcementState: ['EMAIL_PASSWORD_PROVIDER', 'PHONE_PROVIDER'].map((provider) => ({ provider, enforcementState: 'OFF' })),
  }),
}

/** Registers the operations; they refuse while `isOn()` is false (Google mode). */
export async function registerIdentity(app: FastifyInstance, service: Service, isOn: () => boolean): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    const parser =
      (read: (text: string) => Body) => (_req: FastifyRequest, text: string | Buffer, done: (error: Error | null, body?: Body) => void) => {
        try {
          done(null, read(String(text)))
        } catch (error) {
          done(error as Error)
        }
      }
    scope.addContentTypeParser('application/json', { parseAs: 'string', bodyLimit: BODY_LIMIT }, parser(parseBody))
    scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string', bodyLimit: BODY_LIMIT }, parser(parseForm))
    scope.setErrorHandler((error, req, reply) => answerError(service, error, req, reply))
    scope.addHook('onRequest', async (_req, reply) => {
      reply.header('cache-control', 'no-store').header('x-content-type-options', 'nosniff')
    })

    /** The key is public; it only detects a client configured for another project. */
    const checkKey = async (req: FastifyRequest) => {
      if (!isOn()) throw identityFault('CONFIGURATION_NOT_FOUND')
      const key = (req.query as Record<string, unknown>).key
      if (key === undefined || key === '') throw new IdentityFault('API_KEY', 'The request is missing a valid API key.', 403)
      if (key !== IDENTITY_API_KEY) throw new IdentityFault('API_KEY', 'API key not valid. Please pass a valid API key.', 400)
    }
    const run = (operation: Operation) => (req: FastifyRequest) =>
      operation(service, (req.body ?? {}) as Body, {
        address: addressGroup(req.ip),
        userAgent: String(req.headers['user-agent'] ?? '')
          .replace(/[^\x20-\x7e]/g, '')
          .slice(0, 200),
        // The SDK's `auth.languageCode`.
        language: req.headers['x-firebase-locale'] === 'en' ? 'en' : 'es-MX',
      })
    // An unknown address of the service must not fall through to the studio's pages.
    const nowhere = async () => {
      throw identityFault('NOT_FOUND', undefined, 404)
    }

    for (const base of [IDENTITY_PATH, '/identitytoolkit.googleapis.com', '/securetoken.googleapis.com']) {
      if (base !== '/securetoken.googleapis.com') {
        // The router reads `:x` as a parameter; `::` is a literal colon.
        for (const [path, operation] of Object.entries(OPERATIONS))
          scope.post(`${base}${path.replace(':', '::')}`, { preHandler: checkKey }, run(operation))
        for (const [path, answer] of Object.entries(ANSWERS))
          scope.get(`${base}${path}`, { preHandler: checkKey }, async () => answer(service))
      }
      if (base !== '/identitytoolkit.googleapis.com') scope.post(`${base}${TOKEN_PATH}`, { preHandler: checkKey }, run(refresh))
      scope.all(`${base}/*`, nowhere)
    }

    scope.get(`${IDENTITY_PATH}/jwks.json`, async (_req, reply) => {
      reply.header('cache-control', 'public, max-age=3600')
      return service.keys.published()
    })
    scope.get(`${IDENTITY_PATH}/.well-known/openid-configuration`, async (_req, reply) => {
      reply.header('cache-control', 'public, max-age=3600')
      const { issuer } = service.source
      return {
        issuer,
        jwks_uri: `${issuer}/jwks.json`,
        token_endpoint: `${issuer}/v1/token`,
        response_types_supported: ['id_token'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: [ALGORITHM],
      }
    })
  })
}

/** Maps Fastify's errors about a bad request to faults. */
function faultOf(error: Error): IdentityFault | null {
  if (error instanceof IdentityFault) return error
  if (!('statusCode' in error) || typeof error.statusCode !== 'number' || error.statusCode < 400 || error.statusCode >= 500) return null
  if (error.statusCode === 413) return identityFault('REQUEST_TOO_LARGE', undefined, 413)
  return identityFault('INVALID_ARGUMENT', error.statusCode === 415 ? 'Unsupported content type.' : 'Invalid request.', error.statusCode)
}

function answerError(service: Service, error: unknown, req: FastifyRequest, reply: FastifyReply): unknown {
  const problem = error instanceof Error ? faultOf(error) : null
  if (problem) return reply.code(problem.status).send(envelope(problem))
  const busy = error instanceof Overloaded || isPassing(error)
  if (busy) service.log.warn({ error, requestId: req.id }, 'identity.overloaded')
  else service.log.error({ error, requestId: req.id, url: req.url.split('?')[0] }, 'identity.request_failed')
  return reply
    .code(busy ? 503 : 500)
    .header('retry-after', '5')
    .type('text/plain; charset=utf-8')
    .send('El servicio de acceso no está disponible. Inténtalo en un momento.')
}
