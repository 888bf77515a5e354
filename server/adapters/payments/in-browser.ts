/** What a processor needs in the browser: each adapter's folder says it (`browser.ts`), and nothing else in the program names its hosts. */
import type { Settings } from '#contract/settings.ts'
import type { PolicyProvider } from '#server/platform/csp.ts'

export interface ProcessorInBrowser {
  /** Origin of its script, without a final slash. */
  site: string
  /** What the script needs besides its own origin, by the processor's documentation. A stand-in on another origin is all in one place. */
  hosts: Pick<PolicyProvider, 'script' | 'connect' | 'frame'>
  /** The key that its script asks for; null = not configured or switched off: no script is loaded and the policy opens no door. */
  publicKey(settings: Settings): string | null
  /** Its script adds styles under the document's nonce. */
  addsStyles?: true
}
