/**
 * Method and path of every endpoint of visitors and customers. The build replaces this file by its value (vite.config.ts), so that no
 * schema reaches the browser.
 */
import { customerEndpoints } from '#contract/endpoints-by-access.ts'

export const endpoints = customerEndpoints()
