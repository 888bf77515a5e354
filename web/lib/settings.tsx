/** The studio's public settings for the pages: one small object that the root loader selects on the server. */
import { createContext, type ReactNode, useContext } from 'react'
import { fileAddress } from '#contract/file-address.ts'
import type { Vendor } from '#contract/rendering.ts'
import type { SharedSettings } from './shared-settings.ts'

export type Site = SharedSettings & {
  /** IANA zone of the studio (settled 1). */
  zone: string
  /** Base of file addresses: '' when this server serves them (settled 45). */
  files: string
  /** Origin of the studio, for canonical links. */
  publicUrl: string
  vendor: Vendor
  /** Font files to load first. */
  fonts: readonly string[]
  /** The version of the studio's theme in the addresses of its drawings. */
  themeVersion: string
}

const SiteContext = createContext<Site | null>(null)

export function SiteProvider({ site, children }: { site: Site; children: ReactNode }) {
  return <SiteContext value={site}>{children}</SiteContext>
}

/** The studio's public settings. Throws outside the root layout. */
export function useSite(): Site {
  const site = useContext(SiteContext)
  if (!site) throw new Error('useSite needs the root layout')
  return site
}

/** Absolute address of a file, for link previews and search engines. */
export function wholeUrl(site: Site, src: string): string {
  const url = fileUrl(site, src)
  return url.startsWith('/') ? site.publicUrl + url : url
}

/** Address of a file: unchanged if absolute, otherwise on the studio's file base (settled 45). */
export function fileUrl(site: Pick<Site, 'files'>, src: string): string {
  return fileAddress(src, site.files)
}
