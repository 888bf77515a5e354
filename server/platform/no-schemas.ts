/** Fastify without its schemas: the contract validates. Their compilers are a library of 1.5 MiB that would be loaded for nothing. */
import type { FastifyServerOptions } from 'fastify'

const refuse = () => {
  throw new Error('A route has a schema of Fastify: the contract (contract/) says what an endpoint takes and answers.')
}

export const NO_SCHEMAS = {
  compilersFactory: { buildValidator: refuse, buildSerializer: refuse },
} satisfies FastifyServerOptions['schemaController']
