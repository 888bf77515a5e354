/**
 * Method and path of the endpoints that only staff call. The build replaces this file by its value (vite.config.ts), so that no schema
 * reaches the browser.
 */
import { staffEndpoints } from '#contract/endpoints-by-access.ts'

export const endpoints = staffEndpoints()
