/** What a processor needs in the browser, declared in each adapter's folder (`browser.ts`); nothing else in the program names its hosts. */
import type { Settings } from '#contract/settings.ts'

/** A processor whose script may run beside a card form: its origin, and what the script needs besides it. */
export interface PolicyProvider {
  origin: string
  script: readonly string[]
  connect: readonly string[]
  frame: readonly string[]
  /** The script adds styles of its own, under the document's nonce. */
  addsStyles: boolean
}

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
