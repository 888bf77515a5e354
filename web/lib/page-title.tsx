import { useSite } from './settings.tsx'

/** What the tab says: the page, then the studio. */
export function PageTitle({ children }: { children: string }) {
  return <title>{`${children} · ${useSite().business_name}`}</title>
}
