/**
 * Step of `npm run check`: every field of the OpenAPI document needs a description, and every description a field
 * (contract/field-descriptions.ts).
 */
import { contract } from '#contract/index.ts'
import { openApiDocument } from '#server/openapi.ts'

const { undescribed, unusedDescriptions } = await openApiDocument(contract, 'http://localhost')
for (const field of undescribed) console.log(`${field}: has no description. Say what it means in contract/field-descriptions/`)
for (const entry of unusedDescriptions) console.log(`${entry}: describes no field. Delete it from contract/field-descriptions/`)
process.exit(undescribed.length + unusedDescriptions.length > 0 ? 1 : 0)
