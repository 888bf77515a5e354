import { type RefObject, useEffect } from 'react'

/**
 * Moves the focus when the focused element is removed (a button that changed with its class, a row that left its list): to the first
 * button of the same card, or, if that is removed too, to the title of the page. Keyboard users continue from the same position.
 */
export function useRetainedFocus(page: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const root = page.current
    if (!root) return
    /** The last focused element of the page and its ancestors. Dialogs are left out: the browser returns the focus to their opener. */
    let chain: Element[] = []
    const onFocus = ({ target }: FocusEvent): void => {
      if (!(target instanceof Element) || target.closest('dialog')) return
      chain = []
      for (let at: Element | null = target; at && at !== root; at = at.parentElement) chain.push(at)
    }
    // A click outside the element was meant to blur it.
    const onPointer = ({ target }: PointerEvent): void => {
      if (target instanceof Element && !target.closest('dialog') && !chain[0]?.contains(target)) chain = []
    }
    const restoreFocus = (): void => {
      if (!chain[0] || chain[0].isConnected || document.activeElement !== document.body || document.querySelector('dialog:modal')) return
      const card = chain.find((element) => element.isConnected && element.matches('article, li, tr'))
      const button = card?.querySelector<HTMLElement>('button, a[href]')
      const title = root.querySelector<HTMLElement>('h1')
      chain = []
      if (!button && title) title.tabIndex = -1
      const target = button ?? title
      target?.focus({ preventScroll: true })
    }
    const watch = new MutationObserver(restoreFocus)
    watch.observe(root, { childList: true, subtree: true })
    root.addEventListener('focusin', onFocus)
    document.addEventListener('pointerdown', onPointer)
    return () => {
      watch.disconnect()
      root.removeEventListener('focusin', onFocus)
      document.removeEventListener('pointerdown', onPointer)
    }
  }, [page])
}
