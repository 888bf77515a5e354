/** The OpenAPI document as text. Runs on the worker thread: 250 endpoints take it most of a second. Only openapi.ts calls it. */
import { contract } from '#contract/index.ts'
import { openApiDocument } from './openapi.ts'

export async function openApiText(publicUrl: string): Promise<string> {
  return JSON.stringify((await openApiDocument(contract, publicUrl)).document)
}
