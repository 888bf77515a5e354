/**
 * What the server and the web part agree on about rendered documents. Types only: nothing here reaches the browser.
 * Every document is the same for every visitor (the ID token never leaves the browser), so it is rendered once per host variant and cached.
 */
import type { ProviderSites } from './processors.ts'
import type { Settings } from './settings.ts'

/** Parts of the product that load on their own: each has its scripts and its content security policy; from one to another is a full load. */
export type Area = 'site' | 'access' | 'account' | 'video' | 'card' | 'admin'

/** What a rendered document was made from; news about it ends the kept copy. */
export type DocumentTag = 'settings' | 'content' | 'catalogue' | 'people' | 'schedule'

/** Declared by a route module as `export const handle`; the innermost declaration of a matched branch wins, key by key. */
export interface PageHandle {
  /** The same document for every parameter of the route (`/mystudio/video/7`): what differs is drawn in the browser. */
  shell?: boolean
  /** Query keys that the server's loader reads, each with the values it accepts. All others are dropped before rendering. */
  query?: Readonly<Record<string, (value: string) => boolean>>
}

/** What a loader gets through `context.get(rendering)`. */
export interface Rendering<Client> {
  /** Calls the API in this process, as an anonymous visitor. */
  client: Client
  /** All settings, private ones included: a loader picks what it returns. */
  settings: Settings
  /** Origin of the studio, without a final slash: for canonical and share links. Never taken from the request. */
  publicUrl: string
  /** The request named the host of `certification_host` (S1-2.54); the only thing that a document takes from the Host header. */
  certification: boolean
  /** Origins of the processor's frames; the first one holds the card fields. */
  cardFrames: readonly string[]
  /** Where the processors' own scripts come from. */
  providerSites: ProviderSites
  /** The instant of this rendering. */
  now: Date
  /** For inline `<style>`. */
  styleNonce: string
  /** Marks the scripts that may run; taken off before sending (server/platform/csp.ts). Empty in development. */
  scriptMark: string
  /** Names what the document was made from. Every loader that reads something says so. */
  dependsOn(...tags: DocumentTag[]): void
  /** What a visitor may be shown of HTML that the owner typed into a setting (`about_text`, `mission_text`). */
  safeHtml(dirty: string): Promise<string>
  /**
   * The data of one section: null when it cannot be read, which is logged, and the page stands without it. A redirect, and what passes by
   * itself (the database is away), are thrown on.
   */
  attempt<T>(section: string, load: () => Promise<T>): Promise<T | null>
  /** Logs that a section was left out (`page.section_failed`). The document is rendered again within seconds. */
  sectionFailed(section: string, error: unknown): void
  /** Says that something failed while rendering; the visitor gets the error page, the log the cause. */
  report(error: unknown): void
  /** The document is wrong from this instant on ("today", "the next classes"). The earliest one counts. */
  freshUntil(at: Date): void
}
