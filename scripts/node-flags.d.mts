export const fastResolve: readonly string[]
export const serverFlags: readonly string[]
export const serverEnv: { NODE_ENV: string; MALLOC_ARENA_MAX: string }
