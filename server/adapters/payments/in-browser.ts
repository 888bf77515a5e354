/** What a processor needs in the browser, declared in each adapter's folder (`browser.ts`); nothing else in the program names its hosts. */
import type { Settings } from '#contract/settings.ts'
import type { PolicyProvider } from '#server/platform/csp.ts'

export interface ProcessorInBrowser {
  /** Origin of its script, without a final slash. */
  site: string
  /**
   * Origins that the script needs besides its own, from the processor's documentation. A fake processor serves all of them from one origin.
   */
  hosts: Pick<PolicyProvider, 'script' | 'connect' | 'frame'>
  /** The public key for its script; null = not configured or disabled: no script is loaded and the policy allows nothing. */
  publicKey(settings: Settings): string | null
  /** Its script adds styles, which need the document's nonce. */
  addsStyles?: true
}
