import { type RefObject, useEffect } from 'react'

/**
 * Where the focus goes when what had it is taken away (a button that changed with its class, a row that left its list): to the first
 * button of the same card, or, that gone as well, to the title of the page. Who has no mouse goes on from the same place.
 */
export function useRetainedFocus(page: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const root = page.current
    if (!root) return
    /** What of the page had the focus last, and everything around it. A dialog gives it back by itself, where its opener is still there. */
    let chain: Element[] = []
    const hear = ({ target }: FocusEvent): void => {
      if (!(target instanceof Element) || target.closest('dialog')) return
      chain = []
      for (let at: Element | null = target; at && at !== root; at = at.parentElement) chain.push(at)
    }
    // A click beside it was meant to leave it.
    const leave = ({ target }: PointerEvent): void => {
      if (target instanceof Element && !target.closest('dialog') && !chain[0]?.contains(target)) chain = []
    }
    const look = (): void => {
      if (!chain[0] || chain[0].isConnected || document.activeElement !== document.body || document.querySelector('dialog:modal')) return
      const card = chain.find((one) => one.isConnected && one.matches('article, li, tr'))
      const verb = card?.querySelector<HTMLElement>('button, a[href]')
      const title = root.querySelector<HTMLElement>('h1')
      chain = []
      if (!verb && title) title.tabIndex = -1
      const heir = verb ?? title
      heir?.focus({ preventScroll: true })
    }
    const watch = new MutationObserver(look)
    watch.observe(root, { childList: true, subtree: true })
    root.addEventListener('focusin', hear)
    document.addEventListener('pointerdown', leave)
    return () => {
      watch.disconnect()
      root.removeEventListener('focusin', hear)
      document.removeEventListener('pointerdown', leave)
    }
  }, [page])
}
