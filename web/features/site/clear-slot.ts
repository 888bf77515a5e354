/** Finds a position at the screen's edge where a floating button covers nothing important. */
import { type RefObject, useEffect } from 'react'

/** The distance between two slots, upwards, in px; the same as in whatsapp-button.css. */
const RISE = 72
const SLOTS = [0, 1, 2]
/** The distance between the sampled points, and the margin around the button, in px. */
const STEP = 8
const ROOM = 4
/** The page is at rest after this long without a scroll or change. */
const REST_MS = 150

const ACTIONS = 'a, button, input, select, textarea, label, summary, iframe'

/** Whether an element must not be covered: it can be acted on, or contains a number. */
function matters(node: Element): boolean {
  if (node.closest(ACTIONS)) return true
  for (const part of node.childNodes) if (part.nodeType === Node.TEXT_NODE && /\d/.test((part as Text).data)) return true
  return false
}

function isClear(button: Element, { left, right, top, bottom }: DOMRect, rise: number): boolean {
  for (let x = left - ROOM; x <= right + ROOM; x += STEP)
    for (let y = top - rise - ROOM; y <= bottom - rise + ROOM; y += STEP) {
      const under = document.elementsFromPoint(x, y).find((node) => !button.contains(node))
      if (under && matters(under)) return false
    }
  return true
}

/**
 * Sets `data-slot` on a fixed button: the lowest slot where it covers no action and no number, searched whenever the page comes to rest.
 * Without such a slot the attribute is absent and the button hidden. While scrolling it is hidden at once when it would cover something.
 */
export function useClearSlot(ref: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const button = ref.current
    if (!button) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let frame = 0
    const slot = () => Number(button.dataset.slot ?? 0)
    const moveButton = () => {
      const box = button.getBoundingClientRect()
      const rise = slot() * RISE
      const freeSlot = SLOTS.find((slot) => isClear(button, box, slot * RISE - rise))
      // A focused button stays where it is.
      if (freeSlot !== undefined) button.dataset.slot = String(freeSlot)
      else if (button !== document.activeElement) delete button.dataset.slot
    }
    const schedulePlacement = () => {
      clearTimeout(timer)
      timer = setTimeout(moveButton, REST_MS)
    }
    const hideIfCovering = () => {
      frame = 0
      if (button.dataset.slot && button !== document.activeElement && !isClear(button, button.getBoundingClientRect(), 0))
        delete button.dataset.slot
    }
    const onScroll = () => {
      frame ||= requestAnimationFrame(hideIfCovering)
      schedulePlacement()
    }
    const changes = new MutationObserver(schedulePlacement)
    changes.observe(document.body, { childList: true, subtree: true, attributeFilter: ['open', 'class'] })
    addEventListener('scroll', onScroll, { passive: true, capture: true })
    addEventListener('resize', schedulePlacement)
    schedulePlacement()
    return () => {
      clearTimeout(timer)
      cancelAnimationFrame(frame)
      changes.disconnect()
      removeEventListener('scroll', onScroll, { capture: true })
      removeEventListener('resize', schedulePlacement)
    }
  }, [ref])
}
