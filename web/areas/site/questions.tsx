import { rendering } from '#web/lib/rendering.ts'
import type { Route } from './+types/questions.ts'
import { loadContent } from './content.server.ts'
import { ContentFailure, ContentView } from './content.tsx'

const SLUG = 'preguntas-frecuentes'

export async function loader({ context }: Route.LoaderArgs) {
  return (await loadContent(context.get(rendering), SLUG)) ?? { slug: SLUG, title: 'Preguntas frecuentes', html: null }
}

/** /preguntas-frecuentes (S1-2.13): the content page with that slug, or only its title. */
export default function Questions({ loaderData }: Route.ComponentProps) {
  return <ContentView content={loaderData} />
}

export const ErrorBoundary = ContentFailure
