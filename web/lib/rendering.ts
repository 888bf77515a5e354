/** How a public page's loader reaches the server: `context.get(rendering)`. Plain data goes to the page, nothing else. */
import { createContext } from 'react-router'
import type { Rendering } from '#contract/rendering.ts'
import type { Client } from './client.ts'

/** The key of the present rendering. The server reads it from the bundle (`entry.server.tsx`), because a key is an object. */
export const rendering = createContext<Rendering<Client>>()
