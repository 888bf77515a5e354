/**
 * Which document an address asks for. Many addresses ask for the same one: unknown query keys, paths that nothing matches
 * (they show the landing page, S1-2.02), the parameters of shells. One key each keeps the page cache small and safe.
 */
import { matchRoutes, type RouteObject } from 'react-router'
import type { PageHandle } from '#contract/rendering.ts'

/** The routes of a build, as React Router's server build lists them. */
export type RouteTable = Readonly<
  Record<string, { id: string; parentId?: string; path?: string; index?: boolean; module?: { handle?: unknown } } | undefined>
>

export interface DocumentAddress {
  /** Names the document in the cache. */
  key: string
  /** What is rendered: path and query of the request that the renderer sees. */
  url: string
  handle: PageHandle
}

type Addressed = RouteObject & { handle: PageHandle }

const isHandle = (handle: unknown): handle is PageHandle => typeof handle === 'object' && handle !== null

/** The tree of a build's routes with their handles, for `addressOf`. */
export function routeTree(table: RouteTable, parentId?: string): Addressed[] {
  return Object.values(table).flatMap((route): Addressed[] => {
    if (!route || route.parentId !== parentId) return []
    const handle = isHandle(route.module?.handle) ? route.module.handle : {}
    return route.index
      ? [{ id: route.id, index: true, path: route.path, handle }]
      : [{ id: route.id, path: route.path, handle, children: routeTree(table, route.id) }]
  })
}

const DATA = /(?:\/_)?\.data$/
const FILE_NAME = /\.[a-z0-9]{1,8}$/i
const MAX_LENGTH = 512

/**
 * The path with the fixed parts of its route as the route writes them: the router also takes `/Checkout/1` and `/%63heckout/1`, and what
 * a path decides (its content security policy, the studio's own styles) must not depend on its spelling.
 */
function inRouteSpelling(path: string, pattern: string): string {
  const fixed = pattern.split('/')
  return path
    .split('/')
    .map((part, at) => (fixed[at] && !/^(?::|\*$)/.test(fixed[at]) ? fixed[at] : part))
    .join('/')
}

/** The `_routes` of a data request, when all of them exist; in one order. */
function askedRoutes(value: string | null, ids: ReadonlySet<string>): string {
  const asked = value ? [...new Set(value.split(','))].sort() : []
  return asked.length && asked.every((id) => ids.has(id)) ? `_routes=${encodeURIComponent(asked.join(','))}` : ''
}

/** Finds documents in a build's routes. `livePath` says which paths that no route names exist (content pages, the packages path). */
export function addresses(table: RouteTable) {
  const tree = routeTree(table)
  const ids: ReadonlySet<string> = new Set(Object.keys(table))

  /** Null: nothing is there (a file name, a malformed path). `target` is path and query as they came. */
  return function addressOf(target: string, livePath: (path: string) => boolean): DocumentAddress | null {
    if (target.length > MAX_LENGTH || !target.startsWith('/') || /^\/\/|[\\\s]/.test(target)) return null
    const [rawPath = '/', rawQuery = ''] = target.split(/\?(.*)/s)
    const isData = rawPath.endsWith('.data')
    const path = rawPath.replace(DATA, '').replace(/\/+$/, '') || '/'

    const matches = matchRoutes<Addressed>(tree, path)
    if (!matches) return null
    const handle: PageHandle = Object.assign({}, ...matches.map((match) => match.route.handle))
    const pattern = `/${matches
      .flatMap((match) => match.route.path?.split('/') ?? [])
      .filter(Boolean)
      .join('/')}`

    let shown = inRouteSpelling(path, pattern)
    if (handle.shell) shown = pattern
    else if (pattern === '/*' && !livePath(path)) {
      if (FILE_NAME.test(path)) return null
      shown = '/*'
    }

    const asked = new URLSearchParams(rawQuery)
    const query = Object.entries(handle.query ?? {})
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([key, accepts]) => {
        const value = asked.get(key)
        return value !== null && value.length <= 64 && accepts(value) ? [`${encodeURIComponent(key)}=${encodeURIComponent(value)}`] : []
      })
    if (isData) query.push(...[askedRoutes(asked.get('_routes'), ids)].filter(Boolean))

    const base = isData ? (shown === '/' ? '/_.data' : `${shown}.data`) : shown
    const url = query.length ? `${base}?${query.join('&')}` : base
    return { key: url, url, handle }
  }
}
