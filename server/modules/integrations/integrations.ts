/** What programs of the studio use: keys of the API and webhooks (docs/domain.md, "Integrations"). */

export { type FoundKey, isApiKey, throttleApiKey, useApiKey } from './api-keys.ts'
export { watchForDeliveries } from './deliveries.ts'
