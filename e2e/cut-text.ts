/** Text that a reader cannot see whole, measured where the browser drew it. */
import type { Page } from '@playwright/test'

/** Sets the text to twice its size, as a reader's browser does, and names each text that is cut, leaves the page or covers another. */
export function textCutAtTwiceTheSize(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    document.documentElement.style.fontSize = '200%'
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    const width = document.documentElement.clientWidth
    const parents = (node: Element | null): Element[] => (node ? [node, ...parents(node.parentElement)] : [])
    /** Shortened on purpose, and complete on the page behind the link. */
    const isShortened = (style: CSSStyleDeclaration) =>
      style.webkitLineClamp !== 'none' || (style.textOverflow === 'ellipsis' && style.overflowX !== 'visible')
    const texts: { text: string; node: Element; box: DOMRect }[] = []
    const cut = new Set<string>()
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) {
      const text = walker.currentNode.textContent?.trim().slice(0, 40) ?? ''
      const node = walker.currentNode.parentElement
      if (!text || !node?.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue
      const styles = parents(node).map((parent) => [parent, getComputedStyle(parent)] as const)
      // Only for screen readers, or in a bar above the page.
      if (styles.some(([, style]) => style.clipPath !== 'none' || /fixed|sticky/.test(style.position) || isShortened(style))) continue
      if (node.closest('.sr-only, svg, noscript, option')) continue
      const range = document.createRange()
      range.selectNodeContents(walker.currentNode)
      for (const box of range.getClientRects()) {
        if (box.width < 2) continue
        let isInScroller = false
        for (const [element, style] of styles) {
          const edge = element.getBoundingClientRect()
          if (/auto|scroll/.test(style.overflowX + style.overflowY)) isInScroller = true
          if (isInScroller || !/hidden|clip/.test(style.overflowX + style.overflowY)) continue
          if (box.right > edge.right + 2 || box.left < edge.left - 2 || box.bottom > edge.bottom + 4) cut.add(`cut: ${text}`)
        }
        if (isInScroller) continue
        if (box.right > width + 2) cut.add(`outside the page: ${text}`)
        texts.push({ text, node, box })
      }
    }
    for (const [at, text] of texts.entries())
      for (const other of texts.slice(at + 1)) {
        if (text.node === other.node) continue
        const across = Math.min(text.box.right, other.box.right) - Math.max(text.box.left, other.box.left)
        const down = Math.min(text.box.bottom, other.box.bottom) - Math.max(text.box.top, other.box.top)
        if (across > 3 && down > Math.min(text.box.height, other.box.height) * 0.35)
          cut.add(`one over another: ${text.text}, ${other.text}`)
      }
    return [...cut]
  })
}
