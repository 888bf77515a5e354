import { lazy } from 'react'
import type { PageHandle } from '#contract/rendering.ts'
import { weekQuery } from '#web/features/calendar/week-query.ts'
import { FilesOf } from '#web/lib/files-of.tsx'
import { rendering } from '#web/lib/rendering.ts'
import type { Route } from './+types/any-path.ts'
import { loadContent } from './content.server.ts'
import { ContentFailure, ContentView } from './content.tsx'
import { loadLanding } from './landing.server.ts'
import { loadPackages } from './packages.server.ts'

// Most documents of this route are content pages, so the other two views are loaded on demand.
const Landing = lazy(async () => ({ default: (await import('./landing.tsx')).LandingSections }))
const Packages = lazy(async () => ({ default: (await import('./packages.tsx')).PackagesView }))

export const handle: PageHandle = { query: { dia: weekQuery.dia, ver: (value) => value === 'online' } }

/** The page of a path without a route of its own: the packages, a content page, or the landing page (S1-2.02, S1-2.20, S1-2.24). */
export async function loader({ context, request, params }: Route.LoaderArgs) {
  const rendered = context.get(rendering)
  const { searchParams } = new URL(request.url)
  const path = `/${params['*']}`
  if (path === rendered.settings.class_packages_path)
    return { kind: 'packages' as const, packages: await loadPackages(rendered, searchParams) }
  const content = await loadContent(rendered, path.slice(1))
  if (content) return { kind: 'content' as const, content }
  return { kind: 'landing' as const, landing: await loadLanding(rendered, searchParams) }
}

export default function AnyPath({ loaderData }: Route.ComponentProps) {
  switch (loaderData.kind) {
    case 'packages':
      return (
        <>
          <FilesOf route="areas/site/packages" />
          <Packages packages={loaderData.packages} />
        </>
      )
    case 'content':
      return <ContentView content={loaderData.content} />
    case 'landing':
      return (
        <>
          <FilesOf route="areas/site/landing" />
          <Landing landing={loaderData.landing} />
        </>
      )
  }
}

export const ErrorBoundary = ContentFailure
