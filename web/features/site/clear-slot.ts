/** Finds a place at the screen's edge where a floating button covers nothing that somebody needs. */
import { type RefObject, useEffect } from 'react'

/** How far each slot lies above the one below it, in pixels; as in whatsapp-button.css. */
const RISE = 72
const SLOTS = [0, 1, 2]
/** Distance of the points that are looked at, and the room left around the button, in pixels. */
const STEP = 8
const ROOM = 4
/** Without a further scroll or change for so long, the page is at rest. */
const REST_MS = 150

const ACTIONS = 'a, button, input, select, textarea, label, summary, iframe'

/** Whether an element can be acted on, or says a number. */
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
 * Keeps `data-slot` on a fixed button: the lowest slot where it covers no action and no number, looked for whenever the page comes to rest;
 * none while there is no such slot. It leaves at once when something that matters scrolls under it.
 */
export function useClearSlot(ref: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const button = ref.current
    if (!button) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let frame = 0
    const slot = () => Number(button.dataset.slot ?? 0)
    const reservation = () => {
      const box = button.getBoundingClientRect()
      const rise = slot() * RISE
      const found = SLOTS.find((one) => isClear(button, box, one * RISE - rise))
      // Whoever has it under the keyboard keeps it.
      if (found !== undefined) button.dataset.slot = String(found)
      else if (button !== document.activeElement) delete button.dataset.slot
    }
    const later = () => {
      clearTimeout(timer)
      timer = setTimeout(reservation, REST_MS)
    }
    const leave = () => {
      frame = 0
      if (button.dataset.slot && button !== document.activeElement && !isClear(button, button.getBoundingClientRect(), 0))
        delete button.dataset.slot
    }
    const onScroll = () => {
      frame ||= requestAnimationFrame(leave)
      later()
    }
    const changes = new MutationObserver(later)
    changes.observe(document.body, { childList: true, subtree: true, attributeFilter: ['open', 'class'] })
    addEventListener('scroll', onScroll, { passive: true, capture: true })
    addEventListener('resize', later)
    later()
    return () => {
      clearTimeout(timer)
      cancelAnimationFrame(frame)
      changes.disconnect()
      removeEventListener('scroll', onScroll, { capture: true })
      removeEventListener('resize', later)
    }
  }, [ref])
}
