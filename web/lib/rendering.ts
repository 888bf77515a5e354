/** Gives the loader of a public page access to the server: `context.get(rendering)`. Loaders return plain data only. */
import { createContext } from 'react-router'
import type { Rendering } from '#contract/rendering.ts'
import type { Client } from './client.ts'

/**
 * The context key of the current rendering. The server must read it from the bundle (`entry.server.tsx`), because the key is an
 * object identity.
 */
export const rendering = createContext<Rendering<Client>>()
