/**
 * The interface between server and web part for rendered documents. Types only: nothing here reaches the browser.
 * Every document is the same for every visitor (the ID token never leaves the browser), so it is rendered once per host variant and cached.
 */
import type { ProviderSites } from './processors.ts'
import type { Settings } from './settings.ts'

/** Parts of the product that load separately: each has its scripts and content security policy; a link between them is a full page load. */
export type Area = 'site' | 'access' | 'account' | 'video' | 'card' | 'admin'

/**
 * The studio's drawn icon: `tab` has rounded corners; `home` is a full square; `cut` has a margin for devices that crop icons to a shape.
 */
export type IconShape = 'tab' | 'home' | 'cut'

/** A source that a rendered document was made from; an event about it removes the cached copy. */
export type DocumentTag = 'settings' | 'content' | 'catalogue' | 'people' | 'schedule'

/** Declared by a route module as `export const handle`; the innermost declaration of a matched branch wins, key by key. */
export interface PageHandle {
  /** The document is the same for every parameter of the route (`/mystudio/video/7`); the browser renders what differs. */
  shell?: boolean
  /** Query keys that the server's loader reads, each with the values it accepts. All others are dropped before rendering. */
  query?: Readonly<Record<string, (value: string) => boolean>>
}

/** The maker of the platform, named in the footer (S2-2.77); null: its name is no link. */
export interface Vendor {
  name: string
  url: string | null
}

/** What a loader gets through `context.get(rendering)`. */
export interface Rendering<Client> {
  /** Calls the API in this process, as an anonymous visitor. */
  client: Client
  /** All settings, private ones included: a loader picks what it returns. */
  settings: Settings
  /** Origin of the studio, without a final slash: for canonical and share links. Never taken from the request. */
  publicUrl: string
  vendor: Vendor
  /** The request's host is `certification_host` (S1-2.54); nothing else of a document depends on the Host header. */
  certification: boolean
  /** The document is a preview: no script runs in it, so it shows what a visitor sees once the page has started (G10). */
  isPreview: boolean
  /** Origins of the processor's frames; the first one holds the card fields. */
  cardFrames: readonly string[]
  /** Origins of the processors' own scripts. */
  providerSites: ProviderSites
  /** The instant of this rendering. */
  now: Date
  /** Nonce for inline `<style>`. */
  styleNonce: string
  /** Marks the scripts that may run; removed before sending (server/documents/csp.ts). Empty in development. */
  scriptMark: string
  /** Records what the document is made from. Every loader must call it for what it reads. */
  dependsOn(...tags: DocumentTag[]): void
  /** The icon of a studio that uploaded none, as an SVG file. */
  brandIcon(shape: IconShape): string
  /** Sanitized HTML of a setting that the owner typed (`about_text`, `mission_text`). */
  safeHtml(dirty: string): Promise<string>
  /**
   * The data of one section; null when it cannot be read: that is logged and the page is rendered without the section. Redirects and
   * transient failures (the database is unreachable) are thrown on.
   */
  attempt<T>(section: string, load: () => Promise<T>): Promise<T | null>
  /** Logs that a section was left out (`page.section_failed`). The document is rendered again within seconds. */
  sectionFailed(section: string, error: unknown): void
  /** Reports an error during rendering: the visitor gets the error page, the cause is logged. */
  report(error: unknown): void
  /** The document is outdated from this instant on ("today", "the next classes"). The earliest one counts. */
  freshUntil(at: Date): void
}
