/** The OpenAPI document as JSON text. Runs on the worker thread: generating it takes most of a second. Only openapi.ts calls it. */
import { contract } from '#contract/index.ts'
import { openApiDocument } from './openapi.ts'

export async function openApiText(publicUrl: string): Promise<string> {
  return JSON.stringify((await openApiDocument(contract, publicUrl)).document)
}
